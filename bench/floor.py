"""The floor: fork a process that holds torch, make the calls, throw the answers away. ``python -m bench.floor CLASS``.

No isolation, no wire, no limits, no seeds, no judge: nothing that forks for each submission costs less. With ``--each
exercise`` every exercise has a fork of its own. With ``--again RESULTS`` the answers that lost points there are called
once more in forks of their own, as grading does, the first of each submission excepted.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
import types
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from autograder.course import content
from autograder.course.load import load_course
from autograder.plain import Library, Plain, as_plain
from autograder.records import Probe
from autograder.sandbox import convert, worker
from bench import ours
from bench.classroom import EXERCISES, Learner, hand_in, repeated
from bench.measure import BUILD, ENVIRONMENT, ROOT, Cost, run
from bench.tool import Tool


def tools(few: Sequence[Learner], times: int) -> list[Tool]:
    """A fork for each submission and a fork for each exercise, for the class that `bench.ours` grades."""
    class_ = repeated(few, times)
    whole, one = hand_in(class_, BUILD / "class"), hand_in(few[:1], BUILD / "class-of-one")

    def forks(folder: Path, *options: str | Path) -> Cost:
        return run([sys.executable, "-m", "bench.floor", folder, *options], ROOT)

    kinds: dict[str, tuple[str | Path, ...]] = {
        SAME_FORKS: ("--again", ours.MARKS / "results.jsonl"),
        "floor: one bare fork for each submission": (),
        "floor: bare fork for each exercise": ("--each", "exercise"),
    }
    return [
        Tool(title, class_, partial(forks, whole, *options), partial(forks, one, *options))
        for title, options in kinds.items()
    ]


SAME_FORKS = "floor: bare forks, as many as grading"


class Calls:
    """One exercise: what it asks for, and the inputs of every probe as plain data."""

    def __init__(self, file: str, entry: str, library: Library, probes: Sequence[Probe]) -> None:
        self.file, self.entry, self.library = file, entry, library
        self.probes = probes
        self.inputs: list[dict[str, Plain]] = [{n: as_plain(v) for n, v in p.inputs.items()} for p in probes]

    def make(self, source: str) -> None:
        """Load a submission and make every call, as a worker does; what goes wrong is the submission's affair."""
        module = types.ModuleType("submission")
        library: Library = "torch" if "torch" in source else self.library
        with contextlib.suppress(Exception):
            exec(compile(source, self.file, "exec", dont_inherit=True), module.__dict__)
        for probe, plain in zip(self.probes, self.inputs, strict=True):
            inputs = {n: convert.from_plain(value, library, n in probe.scattered) for n, value in plain.items()}
            with contextlib.suppress(Exception):
                worker.call_once(module.__dict__[self.entry], inputs, probe.gradient)


def main() -> None:
    """Make the calls of a whole class."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("class_", type=Path, metavar="CLASS")
    parser.add_argument("--each", choices=("submission", "exercise"), default="submission")
    parser.add_argument("--again", type=Path, metavar="RESULTS")
    chosen = parser.parse_args()
    again = ours.lost_points(chosen.again) if chosen.again else set()
    course = load_course(ROOT)
    secret = ENVIRONMENT["HEADCOUNT_SECRET"].encode()
    calls = {}
    for name, entry in EXERCISES.items():
        exercise = course.exercise(name)
        found = content.probe_set(course, exercise, secret=secret)
        calls[name] = Calls(f"{name}.py", entry, exercise.library, found.probes)
    _warm_up()
    for learner in sorted(chosen.class_.iterdir()):
        sources = {name: (learner / f"{name}.py").read_text("utf-8") for name in EXERCISES}
        forks = [list(sources)] if chosen.each == "submission" else [[name] for name in sources]
        forks += [[name] for name in list(sources)[1:] if (learner.name, name) in again]
        for names in forks:
            pid = os.fork()
            if pid == 0:
                for name in names:
                    calls[name].make(sources[name])
                os._exit(0)
            os.waitpid(pid, 0)


def _warm_up() -> None:
    import torch

    torch.set_num_threads(1)
    x = torch.ones(1, 2, 2, requires_grad=True)
    torch.autograd.backward([torch.softmax(torch.nn.Linear(2, 2)(x), -1)], [torch.ones(1, 2, 2)])
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()
