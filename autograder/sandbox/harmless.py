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
    "functools", "heapq", "itertools", "math", "numbers", "numpy", "operator", "statistics", "string", "torch",
    "typing",
})  # fmt: skip
#: Builtins that reach what is not named in the source.
REACHING = frozenset({
    "__builtins__", "__import__", "breakpoint", "compile", "delattr", "eval", "exec", "exit", "globals", "input",
    "open", "quit", "setattr", "vars",
})  # fmt: skip
#: Parts of torch and NumPy that hold settings, hooks and registries.
STATEFUL = frozenset({
    "backends", "compile", "compiler", "config", "core", "cuda", "ctypeslib", "distributed", "fx", "hooks", "hub",
    "jit", "lib", "library", "modules", "mps", "multiprocessing", "onnx", "ops", "overrides", "package", "profiler",
    "testing", "utils",
})  # fmt: skip
#: Beginnings of the names of functions that change a setting.
SETTING = ("add_safe", "disable", "enable", "import", "install", "register_module", "reset", "set", "use_")
#: Underscored names that change nothing.
PLAIN = frozenset({"_", "__call__", "__class__", "__doc__", "__file__", "__init__", "__len__", "__name__"})


def harmless(tree: ast.Module) -> bool:
    """Whether nothing in the file could change what another file finds."""
    return not any(map(_could_disturb, _walk(tree)))


def _walk(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every node, with the name of `self` in the method around it (empty outside of methods)."""
    waiting: list[tuple[ast.AST, str, bool]] = [(tree, "", False)]
    while waiting:
        node, own, in_class = waiting.pop()
        yield node, own
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if is_function and in_class:
            own = node.args.args[0].arg if node.args.args and not node.decorator_list else ""  # type: ignore[attr-defined]
        inside = isinstance(node, ast.ClassDef)
        waiting += [(child, own, inside) for child in ast.iter_child_nodes(node)]


def _could_disturb(place: tuple[ast.AST, str]) -> bool:
    node, own = place
    match node:
        case ast.Import(names):
            return any(_foreign(alias.name) for alias in names)
        case ast.ImportFrom(module):
            return node.level > 0 or _foreign(module or "") or any(_reaches(alias.name) for alias in node.names)
        case ast.Name(id):
            return id in REACHING
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
