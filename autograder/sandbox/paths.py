"""Which files a worker may read: the interpreter's library, installed packages and shared libraries. An allowlist.

The engine itself is taken out of it wherever it is installed, and with it whatever course it may carry.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator

PACKAGES = ("site-packages", "dist-packages")
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store", "/etc/ld.so.cache", "/etc/alternatives")
#: What the processor can do; torch looks there when it first computes.
PROCESSOR = ("/proc/cpuinfo", "/sys/devices/system/cpu")
#: Opened for writing too, and harmless.
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
_ENGINE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def readable() -> list[str]:
    """Existing paths, none below another, each under the name it goes by and under its real one."""
    known = sysconfig.get_paths()
    wanted = [known["stdlib"], known["platstdlib"], f"{sys.base_prefix}/lib", *_SYSTEM]
    wanted += [path for path in sys.path if os.path.basename(path) in PACKAGES]
    wanted += [path for path in os.environ.get("LD_LIBRARY_PATH", "").split(":") if _is_library(path)]
    named = {os.path.normpath(path) for path in wanted if os.path.exists(path)}
    return list(_without(_outermost(named | {os.path.realpath(path) for path in named}), os.path.realpath(_ENGINE)))


def _is_library(path: str) -> bool:
    return os.path.isabs(path) and os.path.basename(path.rstrip("/")).startswith("lib")


def _outermost(paths: Iterable[str]) -> list[str]:
    kept: list[str] = []
    for path in sorted(paths):
        if not any(path.startswith(f"{other}/") for other in kept):
            kept.append(path)
    return kept


def _without(paths: Iterable[str], hidden: str) -> Iterator[str]:
    """The same files without the hidden folder: a folder that holds it is replaced by its other entries."""
    for path in paths:
        real = os.path.realpath(path)
        if real == hidden or real.startswith(f"{hidden}/"):
            continue
        if hidden.startswith(f"{real}/"):
            yield from _without((entry.path for entry in os.scandir(path)), hidden)
        else:
            yield path


def imports() -> list[str]:
    """What a zygote may import from: the standard library, the engine, and where this process finds packages."""
    stdlib = sysconfig.get_paths()["stdlib"]
    packages = [path for path in sys.path if os.path.isabs(path) and os.path.basename(path) in PACKAGES]
    standard = [path for path in sys.path if path == stdlib or path.startswith(f"{stdlib}/")]
    return list(dict.fromkeys([*(p for p in standard if p not in packages), os.path.dirname(_ENGINE), *packages]))


def covers(paths: Iterable[str], path: str) -> bool:
    """Whether a path, or something below it, is among the readable ones."""
    return any(path == p or path.startswith(f"{p}/") or p.startswith(f"{path}/") for p in paths)
