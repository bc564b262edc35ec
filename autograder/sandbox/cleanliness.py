"""Whether a worker that has run one file is still as good as new for the next one.

A shared worker saves a fork for each exercise, but a file may change what the next one finds: a patched function,
another default dtype, a thread. What can be seen to have changed since the start makes the worker unclean, and the rest
of the submission then runs in workers of its own. This guards the equality of marks, not the boundary: a file that
hides its traces only changes what the same learner's other files claim.
"""

from __future__ import annotations

import os
import sys
import threading
import types
import warnings
from collections.abc import Callable
from typing import Any

#: Namespaces in which a patch would reach another file.
WATCHED = (
    "builtins", "math", "random", "copy", "functools", "itertools", "operator", "sys", "time", "typing", "types",
    "numpy", "numpy.linalg", "numpy.random", "numpy.ndarray", "numpy.ma",
    "torch", "torch.Tensor", "torch.nn", "torch.nn.Module", "torch.nn.Linear", "torch.nn.Parameter",
    "torch.nn.functional", "torch.nn.init", "torch._C._nn", "torch.linalg", "torch.autograd",
    "torch.autograd.grad_mode",
)  # fmt: skip
#: Settings by the module that holds them, each read by a function without arguments.
SETTINGS: dict[str, tuple[str, ...]] = {
    "torch": (
        "get_default_dtype", "is_grad_enabled", "get_num_threads", "is_inference_mode_enabled", "get_default_device",
        "are_deterministic_algorithms_enabled", "is_anomaly_enabled", "get_float32_matmul_precision",
    ),
    "numpy": ("geterr", "get_printoptions"),
    "sys": ("gettrace", "getprofile", "getrecursionlimit", "getswitchinterval", "get_int_max_str_digits"),
}  # fmt: skip


class Snapshot:
    """The state at the start, to compare with later."""

    def __init__(self) -> None:
        self._spaces = {name: (space, dict(vars(space))) for name in WATCHED if (space := _find(name)) is not None}
        self._modules = dict(sys.modules)
        self._settings = _settings()
        self._globals = _globals()

    def clean(self) -> bool:
        """Whether nothing that can be seen has changed. A module imported since then is no change; a made-up one is."""
        for name, module in sys.modules.items():
            known = self._modules.get(name)
            if known is not module and name != "submission" and (known or getattr(module, "__spec__", None) is None):
                return False
        spaces = all(_same(vars(space), before) for space, before in self._spaces.values())
        return spaces and _settings() == self._settings and _globals() == self._globals


def _same(now: Any, before: dict[str, Any]) -> bool:
    """Whether every name still means the same object; submodules may have come in."""
    if any(now.get(name) is not value for name, value in before.items() if name not in CHANGING):
        return False
    return all(name in before or name in CHANGING or isinstance(now[name], types.ModuleType) for name in list(now))


#: Names that change by themselves: Python and torch keep their latest exception or a cache there.
CHANGING = frozenset({"last_type", "last_value", "last_traceback", "last_exc", "_", "__warningregistry__"})


def _find(dotted: str) -> Any:
    """The module or class of that name, if its module has been imported."""
    head, *rest = dotted.split(".")
    found: Any = sys.modules.get(head)
    for part in rest:
        found = getattr(found, part, None)
    return found


def _settings() -> list[Any]:
    values = []
    for module, names in SETTINGS.items():
        for name in names if module in sys.modules else ():
            read: Callable[[], Any] | None = getattr(sys.modules[module], name, None)
            values.append(read() if read else None)
    return values


def _globals() -> tuple[Any, ...]:
    return (
        dict(os.environ), list(sys.path), list(sys.meta_path), list(sys.path_hooks), list(warnings.filters),
        threading.active_count(), os.getcwd(),
    )  # fmt: skip
