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
from collections.abc import Iterator

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
    "backends", "compile", "compiler", "config", "core", "cuda", "ctypeslib", "distributed", "fx", "hooks", "hub",
    "jit", "lib", "library", "modules", "mps", "multiprocessing", "onnx", "ops", "overrides", "package", "profiler",
    "testing", "utils",
})  # fmt: skip
#: Beginnings of the names of functions that change a setting, or reach what is named in a string.
SETTING = (
    "ForwardRef", "add_safe", "disable", "enable", "get_type_hints", "import", "install", "register_module", "reset",
    "set", "update_wrapper", "use_", "wraps",
)  # fmt: skip
#: Underscored names that change nothing.
PLAIN = frozenset({"_", "__call__", "__doc__", "__file__", "__init__", "__len__", "__name__"})


def harmless(tree: ast.Module) -> bool:
    """Whether nothing in the file could change what another file finds."""
    return not any(_could_disturb(node, own) for node, own in _walk(tree)) and _methods_keep_to_themselves(tree)


def _walk(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every node, with the name of `self` in the method around it (empty outside of methods)."""
    waiting: list[tuple[ast.AST, str, bool]] = [(tree, "", False)]
    while waiting:
        node, own, in_class = waiting.pop()
        yield node, own
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
            if in_class and names and isinstance(node, ast.FunctionDef) and not node.decorator_list:
                own = names[0]
            elif own in (*names, *(argument.arg for argument in node.args.kwonlyargs)):
                own = ""  # a function inside a method that takes something else by that name
        inside = isinstance(node, ast.ClassDef)
        waiting += [(child, "" if inside else own, inside) for child in ast.iter_child_nodes(node)]


def _methods_keep_to_themselves(tree: ast.Module) -> bool:
    """Whether every method is called on an instance of its own class, so that `self` is what it seems to be.

    A class may be called and inherited from, and nothing else: `A.f(torch)` would make torch the `self` of f. A
    generator may not stop inside `with`, where what the block sets would stay set.
    """
    nodes = list(ast.walk(tree))
    classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    used = sum(isinstance(node, ast.Name) and node.id in classes for node in nodes)
    called = sum(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in classes for n in nodes)
    inherited = sum(
        isinstance(base, ast.Name) and base.id in classes
        for node in nodes if isinstance(node, ast.ClassDef) for base in node.bases
    )  # fmt: skip
    calls_in_class = any(
        isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        for node in nodes if isinstance(node, ast.ClassDef)
        for part in node.body if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))
        for call in ast.walk(part)
    )  # fmt: skip
    stops = any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for node in nodes)
    within = any(isinstance(node, (ast.With, ast.AsyncWith)) for node in nodes)
    return used == called + inherited and not calls_in_class and not (stops and within)


def _could_disturb(node: ast.AST, own: str) -> bool:
    match node:
        case ast.Import(names):
            return any(_foreign(alias.name) or alias.asname == own != "" for alias in names)
        case ast.ImportFrom(module):
            return node.level > 0 or _foreign(module or "") or any(_reaches(alias.name) for alias in node.names)
        case ast.Name(id, ast.Load()):
            return id in REACHING
        case ast.Name(id):  # bound or deleted here: then it is not what the caller handed in
            return id in REACHING or id == own != ""
        case ast.ExceptHandler(_, str(name)) | ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
            return name == own
        case ast.Attribute(ast.Name(id), attr) if id == own:
            return attr.startswith("__") and attr not in PLAIN
        case ast.Attribute(_, attr, ast.Load()):
            return _reaches(attr)
        case ast.Attribute():
            return True
        case ast.Subscript(ast.Attribute(ast.Name(id)), _, ast.Store() | ast.Del()):
            return id != own
        case ast.Subscript(ast.Attribute() | ast.Call(), _, ast.Store() | ast.Del()):
            return True
    return False


def _foreign(module: str) -> bool:
    head, *rest = module.split(".")
    return head not in IMPORTS or any(map(_reaches, rest))


def _reaches(name: str) -> bool:
    """Whether a name of torch or NumPy leads to shared state; one's own attributes are asked more leniently."""
    return name in STATEFUL or name.startswith(SETTING) or (name.startswith("_") and name not in PLAIN)
