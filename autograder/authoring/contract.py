"""Whether the files of one exercise keep their contract, without running anybody's answer."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from autograder import keys
from autograder.authoring import stubs
from autograder.course import content
from autograder.course.errors import ContentError, display
from autograder.course.files import parse
from autograder.course.model import Course, Exercise


def contract_problems(course: Course, exercise: Exercise, secret: bytes) -> list[str]:
    """Everything that is missing or written otherwise than docs/authoring.md says, each once."""
    folder = course.folder(exercise)
    if not folder.is_dir():
        parts = "solution.py, probes.py, misconceptions.py and styles/"
        return [f"{display(folder)}: there is no such folder; {parts} belong into it, as docs/authoring.md shows"]
    found = []
    if not any((folder / "styles").glob("*.py")):
        found.append(
            f"{display(folder)}/styles: holds no other right answer, so nothing but the lesson's "
            "examples would notice a model answer that is wrong. Add one in another style."
        )
    looks: tuple[Callable[[], Any], ...] = (
        lambda: content.misconceptions(course, exercise),
        lambda: list(_drawn_anew(course, exercise, secret)),
        lambda: list(stubs.drift(course, exercise)),
        lambda: list(_driver(course, exercise)),
        lambda: content.patterns(course, exercise),
    )
    for look in looks:
        try:
            found += [each for each in look() if isinstance(each, str)]
        except ContentError as error:
            found += error.problems
    return list(dict.fromkeys(found))


def _drawn_anew(course: Course, exercise: Exercise, secret: bytes) -> Iterator[str]:
    """Probes that are others each time would be asked again in every grading, and no answer could be resumed."""
    draws = (content.probe_set(course, exercise, secret=secret).probes for _ in range(2))
    if len({keys.asked(course, exercise, probes) for probes in draws}) > 1:
        path = display(course.folder(exercise) / "probes.py")
        yield f"{path}: gives other probes each time; draw every number from the rng that the function is handed"


def _driver(course: Course, exercise: Exercise) -> Iterator[str]:
    source = content.driver_source(course, exercise)
    if source is None:
        return
    name = display(course.folder(exercise) / "driver.py")
    drives = [each for each in parse(source, name).body if isinstance(each, ast.FunctionDef) and each.name == "drive"]
    if not drives or len(drives[-1].args.posonlyargs + drives[-1].args.args) != 3:
        yield f"{name}: has no function drive(learner, inputs, ask)"
