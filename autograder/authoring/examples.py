"""Run the examples in the lessons against the model answers, so that no printed number in a lesson can be wrong.

A program of its own, because lessons are the author's trusted code and may import torch: `verify` starts it once for
all lessons and reads one JSON line for each example that gives something else.
"""

from __future__ import annotations

import doctest
import importlib.util
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from autograder.course.errors import display

#: Seconds of processor time that the examples of one docstring may take.
PATIENCE = 20


def wrong_examples(paths: Sequence[Path]) -> Iterator[str]:
    """A problem for every example whose result is not the one printed in the lesson."""
    run = subprocess.run(
        [sys.executable, "-B", "-m", "autograder.authoring.examples", *map(str, paths)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    for line in run.stdout.splitlines():
        found = json.loads(line)
        place = f"{display(Path(found['file']))}:{found['line']}"
        yield f"{place}: the example gives {found['got']}, the lesson says {found['want']}."
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        yield f"the examples of the lessons could not be run: {last}"


class _Reporter(doctest.DocTestRunner):
    """Prints one JSON line for each example that does not hold. `out` is the real output; stdout is the example's."""

    def report_start(self, *_: object) -> None: ...

    def report_success(self, *_: object) -> None: ...

    def report_failure(
        self, out: Callable[[str], object], test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        line = (test.lineno or 0) + example.lineno + 1
        short = {"want": example.want.strip()[:200] or "nothing", "got": got.strip()[:200] or "nothing"}
        out(json.dumps({"file": test.filename, "line": line, **short}) + "\n")

    def report_unexpected_exception(
        self, out: Callable[[str], object], test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        self.report_failure(out, test, example, f"{exc_info[0].__name__}: {exc_info[1]}")


def _start_the_clock() -> None:
    """Anew for each docstring, where the system has such a clock."""
    if hasattr(signal, "SIGPROF"):
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)


def _too_long(*_: object) -> NoReturn:
    raise TimeoutError(f"no end after {PATIENCE} seconds of processor time; is there a loop that never ends?")


def main(paths: Sequence[str]) -> None:
    """Run every docstring example of the given files. One that does not end gives a TimeoutError."""
    for path in paths:
        spec = importlib.util.spec_from_file_location("solution", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for test in doctest.DocTestFinder(recurse=True).find(module, "solution"):
            _start_the_clock()
            _Reporter(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test)


if __name__ == "__main__":
    main(sys.argv[1:])
