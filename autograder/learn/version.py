"""What a worker in the background has loaded: it answers only those who would have loaded the same."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path

import autograder
from autograder.course.model import Course

_PACKAGES = ("site-packages", "dist-packages")
#: What a worker was started with and cannot change any more.
_SETTINGS = ("HEADCOUNT_HIGHEST_ISOLATION", "XDG_CACHE_HOME", "LD_LIBRARY_PATH")


def version(course: Course) -> str:
    """Tells everything apart that a worker has loaded: engine, course, interpreter, and installed libraries.

    It looks at times and sizes, not at contents: a worker that ends once too often costs nobody anything.
    """
    told = [autograder.__version__, sys.version, sys.executable, str(course.root), course.sha256]
    told += [os.environ.get(name, "") for name in _SETTINGS]
    package = Path(autograder.__file__).parent
    for path in sorted(package.glob("*.py")) + sorted(package.glob("*/*.py")):
        found = path.stat()
        told.append(f"{path} {found.st_mtime_ns} {found.st_size}")
    for entry in sys.path:
        if os.path.basename(entry) in _PACKAGES and os.path.isdir(entry):
            told.append(f"{entry} {os.stat(entry).st_mtime_ns}")
    return sha256("\n".join(told).encode()).hexdigest()
