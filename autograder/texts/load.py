"""Load what belongs to a text: the question, the rubric it is marked by, and a model text.

The rubric's criteria are the checks of course.yaml, which give them their points; what earns and what misses these is
written in rubric.yaml, where nobody sees it before writing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from autograder.course.errors import ContentError, did_you_mean, display
from autograder.course.files import read_source
from autograder.course.model import Course, Exercise
from autograder.records import Criterion

QUESTION, RUBRIC, MODEL = "question.md", "rubric.yaml", "model.md"
#: What is written below it is the answer.
LINE = "<!-- Write below this line. -->"


@dataclass(frozen=True)
class Text:
    """One exercise that is answered in words."""

    exercise: Exercise
    question: str
    rubric: tuple[Criterion, ...]
    model: str
    version: str
    """Of everything it was read from."""

    @property
    def length(self) -> str:
        """How long an answer should be, in words."""
        least, most = self.exercise.words
        return f"{least} to {most} words"


def load_text(course: Course, exercise: Exercise) -> Text:
    """The text of an exercise. Raises ContentError where a file is missing or the rubric is not one of its checks."""
    folder = course.folder(exercise)
    question, rubric, model = (read_source(folder / name) for name in (QUESTION, RUBRIC, MODEL))
    empty = [name for name, text in ((QUESTION, question), (MODEL, model)) if not text.strip()]
    if empty:
        raise ContentError(tuple(f"{display(folder / name)}: is empty" for name in empty))
    criteria = _criteria(rubric, folder / RUBRIC, exercise)
    version = sha256("\0".join((question, rubric, model)).encode()).hexdigest()[:32]
    return Text(exercise, question.strip(), criteria, model.strip(), version)


def sheet(text: Text) -> str:
    """The file that a learner writes into: the question and how long an answer is, and nothing of the rubric."""
    exercise = text.exercise
    return (
        f"# {exercise.id}: {exercise.title} ({exercise.points:g} points, about {exercise.minutes} minutes)\n\n"
        f"{text.question}\n\n"
        f"Write {text.length} below the line. `headcount check {exercise.id.partition('_')[0]}` counts them; when you "
        "have finished, it\nshows what earns the points and a model text, and you mark your own.\n\n"
        f"{LINE}\n\n"
    )


def _criteria(written: str, path: Path, exercise: Exercise) -> tuple[Criterion, ...]:
    from autograder.course.tree import read_tree

    tree = read_tree(written, display(path), what="a rubric", first="criteria:")
    criteria = tree.data.get("criteria")
    found: dict[str, Any] = criteria if isinstance(criteria, dict) else {}
    problems = [*tree.problems]
    problems += [tree.problem(("criteria", name), fault) for name, fault in _faults(found, exercise)]
    if problems:
        raise ContentError(tree.report(problems))
    return tuple(
        Criterion(check.id, check.says, check.points, _line(found[check.id]["earns"]), _lines(found[check.id]))
        for check in exercise.checks
    )


def _faults(found: dict[str, Any], exercise: Exercise) -> Iterator[tuple[str, str]]:
    """The criteria that are not what they should be, each with its name."""
    checks = [check.id for check in exercise.checks]
    for name in checks:
        if name not in found:
            yield name, f"there is no criterion '{name}', which is a check of {exercise.id} in course.yaml"
    for name, entry in found.items():
        if name not in checks:
            yield name, f"criterion '{name}' is no check of {exercise.id} in course.yaml.{did_you_mean(name, checks)}"
        elif not isinstance(entry, dict) or entry.keys() != {"earns", "misses"}:
            yield name, f"criterion '{name}' has two keys: 'earns' and 'misses'"
        elif not _is_text(entry["earns"]):
            yield name, f"criterion '{name}': 'earns' must be text that says what earns its points"
        elif not (isinstance(entry["misses"], list) and entry["misses"] and all(map(_is_text, entry["misses"]))):
            yield name, f"criterion '{name}': 'misses' must be a list of texts, each something that earns nothing"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _line(text: str) -> str:
    return " ".join(text.split())


def _lines(entry: dict[str, Any]) -> tuple[str, ...]:
    return tuple(map(_line, entry["misses"]))
