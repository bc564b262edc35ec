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
from itertools import takewhile

#: What may be imported. Everything with state that reaches beyond the file stays out: sys, os, builtins, gc, threading.
IMPORTS = frozenset({
    "__future__", "abc", "bisect", "cmath", "collections", "copy", "dataclasses", "einops", "enum", "fractions",
    "functools", "heapq", "itertools", "math", "numbers", "numpy", "statistics", "torch", "typing",
})  # fmt: skip
#: Builtins that reach what is not named in the source.
REACHING = frozenset({
    "breakpoint", "compile", "copyright", "credits", "delattr", "eval", "exec", "exit", "getattr", "globals", "help",
    "input", "license", "locals", "open", "quit", "setattr", "type", "vars",
})  # fmt: skip
#: Parts of torch and NumPy that hold settings, hooks and registries.
STATEFUL = frozenset({
    "GradScaler", "accelerator", "amp", "ao", "attrgetter", "backends", "compile", "compiler", "config", "core", "cuda",
    "ctypeslib", "distributed", "distributions", "export", "f2py", "forward_ad", "frombuffer", "fx", "hooks", "hub",
    "jit", "lib", "library", "ma", "masked", "modules", "mps", "multiprocessing", "onnx", "ops", "optim", "overrides",
    "package", "profiler", "quantization", "serialization", "testing", "utils",
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
#: Beginnings of the names of functions that change a setting, or reach what is named in a string; of what makes classes
#: out of strings; of what a paused generator and its frame are looked into by; and all names of a module at once.
SETTING = (
    "*", "ABCMeta", "EnumMeta", "EnumType", "ForwardRef", "FunctionMeta", "NamedTupleMeta", "add_safe", "ag_", "cr_",
    "disable", "enable", "f_back", "f_builtins", "f_globals", "f_locals", "get_type_hints", "gi_", "import", "install",
    "make_dataclass", "register", "reset", "set", "tb_", "update_wrapper", "use_", "wraps",
)  # fmt: skip
#: Underscored names that change nothing.
PLAIN = frozenset({"_", "__call__", "__doc__", "__file__", "__init__", "__len__", "__name__"})
#: What Python calls by itself and a file may define: others are asked by ``copy``, caches and metaclasses.
OWN = frozenset({
    "__add__", "__all__", "__call__", "__doc__", "__enter__", "__exit__", "__getitem__", "__init__", "__iter__",
    "__len__", "__mul__", "__next__", "__post_init__", "__repr__", "__str__",
})  # fmt: skip
#: The nodes that can tell of something that disturbs.
TELLING = frozenset({
    ast.AsyncFunctionDef, ast.Attribute, ast.ClassDef, ast.ExceptHandler, ast.FunctionDef, ast.Import, ast.ImportFrom,
    ast.MatchAs, ast.MatchClass, ast.MatchMapping, ast.MatchStar, ast.Name, ast.Subscript,
})  # fmt: skip


def harmless(tree: ast.Module) -> bool:
    """Whether nothing in the file could change what another file finds."""
    found = _walk(tree)
    if any(type(node) in TELLING and _could_disturb(node, own) for node, own in found):
        return False
    nodes = [node for node, _ in found]
    return _methods_keep_to_themselves(nodes) and _decorators_decorate(nodes) and _loads_hold_numbers(nodes)


def _walk(tree: ast.Module) -> list[tuple[ast.AST, str]]:
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
        own = "" if inside else own
        for part in vars(node).values():  # several times faster than `ast.iter_child_nodes`
            if type(part) is list:
                waiting += [(child, own, inside) for child in part if isinstance(child, ast.AST)]
            elif isinstance(part, ast.AST) and not isinstance(part, ast.expr_context):
                waiting.append((part, own, inside))
    return found


def _methods_keep_to_themselves(nodes: Sequence[ast.AST]) -> bool:
    """Whether every method is called on an instance of its own class, so that `self` is what it seems to be.

    A class may be called and inherited from, and nothing else: `A.f(torch)` would make torch the `self` of f; and in
    the body of a class no method is named, where it is a plain function still. A generator may not stop inside `with`,
    where what the block sets would stay set.
    """
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    names = {node.name for node in classes}
    used = sum(isinstance(node, ast.Name) and node.id in names for node in nodes)
    called = sum(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in names for n in nodes)
    inherited = sum(isinstance(base, ast.Name) and base.id in names for node in classes for base in node.bases)
    stops = any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for node in nodes)
    within = any(isinstance(node, (ast.With, ast.AsyncWith)) for node in nodes)
    return used == called + inherited and not any(map(_names_its_methods, classes)) and not (stops and within)


def _names_its_methods(node: ast.ClassDef) -> bool:
    """Whether what runs once, while the class is made, mentions a function that the class defines."""
    methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    for part in node.body:
        once: list[ast.AST] = [part]
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            once = [*part.decorator_list, part.args, *filter(None, [part.returns])]
        if any(isinstance(each, ast.Name) and each.id in methods for top in once for each in ast.walk(top)):
            return True
    return False


def _decorators_decorate(nodes: Sequence[ast.AST]) -> bool:
    """Whether what writes on its argument only stands behind an @: ``dataclass(torch.nn.Linear)`` changes torch.

    Its argument then is what the file defines, unless something else comes between: another decorator, a metaclass.
    """
    used_well: set[int] = set()
    for node in nodes:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        last = [each.func if isinstance(each, ast.Call) else each for each in reversed(node.decorator_list)]
        plain = takewhile(_writes_elsewhere, () if getattr(node, "keywords", ()) else last)
        used_well |= {id(decorator) for decorator in plain}
    return not any(_writes_elsewhere(node) and id(node) not in used_well for node in nodes)


def _loads_hold_numbers(nodes: Sequence[ast.AST]) -> bool:
    """Whether files are only loaded in a way that runs nothing of what they say: a pickle may say anything."""
    mentioned = sum(isinstance(node, ast.Attribute) and node.attr == "load" for node in nodes)
    plainly = sum(isinstance(node, ast.Call) and _loads_numbers(node) for node in nodes)
    return mentioned == plainly


def _loads_numbers(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(attr="load"):
            known = all(keyword.arg in ("map_location", "weights_only") for keyword in call.keywords)
            unsafe = any(k.arg == "weights_only" and getattr(k.value, "value", None) is not True for k in call.keywords)
            return (
                known and not unsafe and len(call.args) <= 2 and not any(isinstance(a, ast.Starred) for a in call.args)
            )
    return False


def _writes_elsewhere(node: ast.AST) -> bool:
    match node:
        case ast.Name(name) | ast.Attribute(_, name) | ast.alias(name, str()):
            return name in DECORATORS
    return False


def _could_disturb(node: ast.AST, own: str) -> bool:
    match node:
        case ast.Name(id, ast.Load()):
            return id in REACHING or (id.startswith("__") and id not in PLAIN)
        case ast.Attribute(ast.Name(id), attr) if id == own:
            return attr.startswith("__") and attr not in PLAIN
        case ast.Attribute(ast.Call(ast.Name("super")), "__init__"):
            return False
        case ast.Attribute(_, attr, ast.Load()):
            return attr == "__init__" or reaches(attr)  # of a class, it writes on whatever it is given
        case ast.Attribute():
            return True
        case ast.Subscript(ast.Attribute(ast.Name(id)), _, ast.Store() | ast.Del()):
            return id != own
        case ast.Subscript(ast.Attribute() | ast.Call(), _, ast.Store() | ast.Del()):
            return True
        case ast.Import(names) if any(_foreign(alias.name) for alias in names):
            return True
        case ast.ImportFrom(module, names) if (
            node.level > 0
            or _foreign(module or "")
            or any(reaches(alias.name) or alias.name == "load" for alias in names)
        ):
            return True
        case ast.MatchClass(kwd_attrs=attributes):
            return any(map(reaches, attributes))
    return any(name == own != "" or _means_something(name) for name in _bound(node))


def _bound(node: ast.AST) -> Sequence[str]:
    """The names that a node gives to something. Whatever it is, it is no longer what the caller handed in."""
    match node:
        case ast.Name(name) | ast.ExceptHandler(_, str(name)) | ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
            return (name,)
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name) | ast.MatchMapping(rest=str(name)):
            return (name,)
        case ast.Import(names) | ast.ImportFrom(_, names):
            return [alias.asname or alias.name for alias in names]
    return ()


def _means_something(name: str) -> bool:
    """Whether a name has a meaning for Python, or for what comes after in this file, that a file may not give it."""
    return name in REACHING or (name.startswith("__") and name.endswith("__") and name not in OWN)


def _foreign(module: str) -> bool:
    head, *rest = module.split(".")
    return head not in IMPORTS or any(map(reaches, rest))


def reaches(name: str) -> bool:
    """Whether a name of torch or NumPy leads to shared state; one's own attributes are asked more leniently."""
    known = name in STATEFUL or name in SHARED or name in IMPORTED
    return known or name.startswith(SETTING) or (name.startswith("_") and name not in PLAIN)
