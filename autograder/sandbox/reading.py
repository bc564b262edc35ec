"""What a worker can tell of a source before it runs any of it. Sources are read here once, as code and as a tree.

A tree has an object for every word of a source. Making it takes longer than compiling does, so it is made only where a
look at the text cannot tell enough.
"""

from __future__ import annotations

import ast
import io
import types
import warnings
from collections.abc import Collection
from functools import lru_cache


@lru_cache(maxsize=2)  # a course's own answers come by the hundred with one source and one driver
def compiled(source: str, file: str) -> types.CodeType:
    """A source as code. Raises SyntaxError, whatever Python raises of what is nested too deeply."""
    try:
        return compile(source, file, "exec", dont_inherit=True)
    except (MemoryError, RecursionError):
        raise _too_deep(file) from None


@lru_cache(maxsize=1)
def parsed(source: str, file: str) -> ast.Module:
    """A source that compiles as syntax tree; what Python warns of in it was told when it was compiled."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, file)
    except (MemoryError, RecursionError):
        raise _too_deep(file) from None


def lines(source: str) -> list[str]:
    """The lines as Python counts them: it ends none at a form feed or a Unicode separator, as str.splitlines does."""
    return io.StringIO(source, newline=None).readlines()


def could_say(source: str, words: Collection[str]) -> bool:
    """Whether one of these words can stand in the source: as it is, or written with escapes or unusual letters."""
    return bool(words) and ("\\" in source or not source.isascii() or any(word in source for word in words))


def imports_torch(source: str, file: str) -> bool:
    """Whether the submission works with torch: then it is given tensors, and answers in tensors."""
    if not could_say(source, ["torch"]):
        return False
    for node in ast.walk(parsed(source, file)):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        if any(name.partition(".")[0] == "torch" for name in names):
            return True
    return False


def forget() -> None:
    """Let go of what was read. A worker that inherits it would copy every page of it only to let go of it itself."""
    compiled.cache_clear()
    parsed.cache_clear()


def _too_deep(file: str) -> SyntaxError:
    return SyntaxError("it is nested too deeply for Python", (file, None, None, None))
