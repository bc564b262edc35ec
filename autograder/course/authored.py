"""Run an author's own file of solutions/, and say in one line what is wrong with it."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from autograder.course.errors import ContentError, display
from autograder.course.files import read_source


@contextmanager
def authored_module(path: Path) -> Iterator[ModuleType]:
    """The file as a module that is known to the import system only inside the block, as dataclasses in it require.

    Raises ContentError where it is missing or fails.
    """
    module = ModuleType(path.stem)
    module.__name__ += f"_{id(module)}"
    module.__file__ = str(path)
    source = read_source(path)
    sys.modules[module.__name__] = module
    try:
        with errors_of(path, "the file"):
            exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
        yield module
    finally:
        del sys.modules[module.__name__]


@contextmanager
def errors_of(path: Path, what: str) -> Iterator[None]:
    """Turn whatever goes wrong in the file into one line that names the author's own line."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, SyntaxError) and error.filename == str(path):
            line, said = error.lineno, f"is not valid Python: {error.msg}"
        else:
            frames = traceback.extract_tb(error.__traceback__)
            line = next((frame.lineno for frame in reversed(frames) if frame.filename == str(path)), None)
            said = f"{what} raised {type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
        raise ContentError((f"{display(path)}:{line}: {said}" if line else f"{display(path)}: {said}",)) from error
