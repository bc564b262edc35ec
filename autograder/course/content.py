"""The solutions/ side of one exercise: model answer, stub, wrong answers, patterns, probes, driver."""

from __future__ import annotations

from autograder.course.composition import takes_steps_from
from autograder.course.files import driver_source, read_source, solution_source
from autograder.course.misconceptions import misconceptions
from autograder.course.patterns import pattern_sources, patterns
from autograder.course.probes import ProbeSet, probe_set
from autograder.course.stubs import cut_stub, learners_lines

__all__ = [
    "ProbeSet", "cut_stub", "driver_source", "learners_lines", "misconceptions", "pattern_sources", "patterns",
    "probe_set", "read_source", "solution_source", "takes_steps_from",
]  # fmt: skip
