"""Whether a file can be seen not to disturb others that run in the same worker after it.

A worker shared by the exercises of one upload saves a fork for each. But a file may change what the next one finds: a
patched function, another default dtype, an entry in `sys.modules`. Only files share a worker whose syntax tree shows
that nothing of the kind is possible; every other one runs in a worker of its own. The usual answer imports torch,
defines a function and returns: it shares. A needless "no" costs a fork and nothing else.

This guards the equality of marks, not the boundary: what it overlooks only changes what the same learner's other
files claim.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

#: What may be imported. Everything with state that reaches beyond the file stays out: sys, os, builtins, gc, threading.
IMPORTS = frozenset({
    "__future__", "abc", "bisect", "cmath", "collections", "copy", "dataclasses", "einops", "enum", "fractions",
    "functools", "heapq", "itertools", "math", "numbers", "numpy", "statistics", "string", "torch",
    "typing",
})  # fmt: skip
#: Builtins that reach what is not named in the source.
REACHING = frozenset({
    "__builtins__", "__import__", "breakpoint", "compile", "delattr", "eval", "exec", "exit", "getattr", "globals",
    "input", "open", "quit", "setattr", "type", "vars",
})  # fmt: skip
#: Parts of torch and NumPy that hold settings, hooks and registries.
STATEFUL = frozenset({
    "accelerator", "amp", "ao", "backends", "compile", "compiler", "config", "core", "cuda", "ctypeslib", "distributed",
    "distributions", "export", "f2py", "fx", "hooks", "hub", "jit", "lib", "library", "ma", "masked", "modules", "mps",
    "multiprocessing", "onnx", "ops", "overrides", "package", "profiler", "quantization", "serialization", "testing",
    "utils",
})  # fmt: skip
#: Lists and dicts of the libraries that everybody shares, and what a library calls the builtins it has imported.
SHARED = frozenset({
    "EXCLUDED_ATTRIBUTES", "GRID_SAMPLE_INTERPOLATION_MODES", "GRID_SAMPLE_PADDING_MODES", "all_feature_names",
    "all_return_types", "bltns", "common_args", "common_notes", "dispatch_table", "factory_common_args",
    "multi_dim_common", "polynomial", "reproducibility_notes", "sctypeDict", "sparse_support_notes", "stdlib_re",
    "tf32_notes", "typecodes", "unicode_whitespace_trans", "window_common_args",
})  # fmt: skip
#: What a library has imported from the standard library leads to that module's state: ``torch.warnings``,
#: ``typing.sys``. Not counted are names that something harmless has as well.
IMPORTED = sys.stdlib_module_names - IMPORTS - {"array", "chunk", "queue", "random", "select", "trace"}
#: Decorators that write on what they decorate, and may therefore decorate what the file defines and nothing else.
DECORATORS = frozenset({
    "abstractmethod", "dataclass", "dataclass_transform", "final", "global_enum", "no_type_check",
    "no_type_check_decorator", "override", "runtime_checkable", "total_ordering", "update_abstractmethods",
})  # fmt: skip
#: Beginnings of the names of functions that change a setting, or reach what is named in a string.
SETTING = (
    "ForwardRef", "add_safe", "disable", "enable", "get_type_hints", "import", "install", "register", "reset", "set",
    "update_wrapper", "use_", "wraps",
)  # fmt: skip
#: The nodes that can tell of something that disturbs.
TELLING = frozenset({
    ast.Attribute, ast.ExceptHandler, ast.Import, ast.ImportFrom, ast.MatchAs, ast.MatchStar, ast.Name, ast.Subscript,
})  # fmt: skip
#: Underscored names that change nothing.
PLAIN = frozenset({"_", "__call__", "__doc__", "__file__", "__init__", "__len__", "__name__"})


def harmless(tree: ast.Module) -> bool:
    """Whether nothing in the file could change what another file finds."""
    found = _nodes(tree)
    nodes = [node for node, _ in found]
    return (
        not any(type(node) in TELLING and _could_disturb(node, own) for node, own in found)
        and _methods_keep_to_themselves(nodes)
        and _decorators_decorate(nodes)
    )


def _nodes(tree: ast.Module) -> list[tuple[ast.AST, str]]:
    """Every node, with the name of `self` in the method around it (empty outside of methods)."""
    found: list[tuple[ast.AST, str]] = []
    waiting: list[tuple[ast.AST, str, bool]] = [(tree, "", False)]
    while waiting:
        node, own, in_class = waiting.pop()
        found.append((node, own))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
            if in_class and names and isinstance(node, ast.FunctionDef) and not node.decorator_list:
                own = names[0]
            elif own in (*names, *(argument.arg for argument in node.args.kwonlyargs)):
                own = ""  # a function inside a method that takes something else by that name
        inside = isinstance(node, ast.ClassDef)
        if inside:
            own = ""
        for part in vars(node).values():  # several times faster than `ast.iter_child_nodes`, and nothing else waits
            if type(part) is list:
                waiting += [(child, own, inside) for child in part if isinstance(child, ast.AST)]
            elif isinstance(part, ast.AST) and not isinstance(part, ast.expr_context):
                waiting.append((part, own, inside))
    return found


def _methods_keep_to_themselves(nodes: Sequence[ast.AST]) -> bool:
    """Whether every method is called on an instance of its own class, so that `self` is what it seems to be.

    A class may be called and inherited from, and nothing else: `A.f(torch)` would make torch the `self` of f. A
    generator may not stop inside `with`, where what the block sets would stay set.
    """
    defined = [node for node in nodes if isinstance(node, ast.ClassDef)]
    if defined:
        classes = {node.name for node in defined}
        used = sum(isinstance(node, ast.Name) and node.id in classes for node in nodes)
        called = sum(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in classes for n in nodes)
        inherited = sum(isinstance(base, ast.Name) and base.id in classes for node in defined for base in node.bases)
        calls_in_class = any(
            isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
            for node in defined
            for part in node.body if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))
            for call in ast.walk(part)
        )  # fmt: skip
        if used != called + inherited or calls_in_class:
            return False
    stops = any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for node in nodes)
    within = any(isinstance(node, (ast.With, ast.AsyncWith)) for node in nodes)
    return not (stops and within)


def _decorators_decorate(nodes: Sequence[ast.AST]) -> bool:
    """Whether what writes on its argument only stands behind an @: ``dataclass(torch.nn.Linear)`` changes torch."""
    lists = [node.decorator_list for node in nodes if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
    used_well = {
        id(decorator.func if isinstance(decorator, ast.Call) else decorator) for found in lists for decorator in found
    }
    named = [node for node in nodes if isinstance(node, (ast.Name, ast.Attribute, ast.alias))]
    return not any(_writes_elsewhere(node) and id(node) not in used_well for node in named)


def _writes_elsewhere(node: ast.Name | ast.Attribute | ast.alias) -> bool:
    match node:
        case ast.Name(name) | ast.Attribute(_, name) | ast.alias(name, str()):
            return name in DECORATORS
    return False


def _could_disturb(node: ast.AST, own: str) -> bool:
    match node:
        case ast.Import(names):
            return any(_foreign(alias.name) or alias.asname == own != "" for alias in names)
        case ast.ImportFrom(module):
            return node.level > 0 or _foreign(module or "") or any(reaches(alias.name) for alias in node.names)
        case ast.Name(id, ast.Load()):
            return id in REACHING
        case ast.Name(id):  # bound or deleted here: then it is not what the caller handed in
            return id in REACHING or id == own != ""
        case ast.ExceptHandler(_, str(name)) | ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
            return name == own
        case ast.Attribute(ast.Name(id), attr) if id == own:
            return attr.startswith("__") and attr not in PLAIN
        case ast.Attribute(_, attr, ast.Load()):
            return reaches(attr)
        case ast.Attribute():
            return True
        case ast.Subscript(ast.Attribute(ast.Name(id)), _, ast.Store() | ast.Del()):
            return id != own
        case ast.Subscript(ast.Attribute() | ast.Call(), _, ast.Store() | ast.Del()):
            return True
    return False


def _foreign(module: str) -> bool:
    head, *rest = module.split(".")
    return head not in IMPORTS or any(map(reaches, rest))


def reaches(name: str) -> bool:
    """Whether a name of torch or NumPy leads to shared state; one's own attributes are asked more leniently."""
    known = name in STATEFUL or name in SHARED or name in IMPORTED
    return known or name.startswith(SETTING) or (name.startswith("_") and name not in PLAIN)
