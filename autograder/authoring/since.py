"""What changed from one handout to the next, in a learner's words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from autograder import __version__, handout
from autograder.course.errors import CourseError
from autograder.course.load import load_course
from autograder.course.model import Course, Exercise

NAME = "CHANGES.md"
TITLE = "# What changed\n"
NOTHING = "- Nothing that you would notice."
FIRST = "- The first handout."


def earlier_handout(folder: Path) -> Course:
    """The course in a folder that `headcount release` built. Raises CourseError where it is none."""
    course = load_course(folder)
    if not course.released:
        raise CourseError((f"--since {folder}: is no handout; name a folder that `headcount release` built.",))
    return course


def changes(before: Course | None, now: Course, today: date) -> str:
    """CHANGES.md of a handout: what is different since the one before, if there was one, and what that one told."""
    told = [FIRST] if before is None else list(_told(before, now)) or [NOTHING]
    kept = _read(before.root / NAME).removeprefix(TITLE) if before else ""
    return "\n".join([TITLE, f"## {today.isoformat()}", "", *told, ""]) + kept


def _told(before: Course, now: Course) -> Iterator[str]:
    old, new = ({each.id: each for each in course.exercises} for course in (before, now))
    yield from (f"- **{id}** is new: {new[id].title} ({new[id].points:g} points)." for id in new if id not in old)
    yield from (f"- **{id}** is gone." for id in old if id not in new)
    for id in new:
        if id in old and (said := [*_changed(before, old[id], now, new[id])]):
            yield f"- **{id}**: {'; '.join(said)}."
    earlier, later = _engine(before.root), _engine(now.root)
    if earlier != later:
        yield f"- Install again: headcount is {__version__} now."


def _changed(before: Course, old: Exercise, now: Course, new: Exercise) -> Iterator[str]:
    """What is different about one exercise, in half-sentences."""
    if old.points != new.points:
        yield f"{old.points:g} points became {new.points:g}"
    worth = {check.id: check.points for check in old.checks}
    for check in new.checks:
        if check.id not in worth:
            yield f"the check `{check.id}` is new"
        elif worth[check.id] != check.points and len(new.checks) > 1:
            yield f"the check `{check.id}` is worth {check.points:g} instead of {worth[check.id]:g}"
    yield from (f"the check `{id}` is gone" for id in worth if id not in {check.id for check in new.checks})
    due, later = (late.due if (late := course.late_of(each)) else None for course, each in ((before, old), (now, new)))
    if due != later:
        yield f"it is due {later}" if later else "it is not due any more"
    if old.hints != new.hints:
        yield "other hints"
    if _read(before.stub_path(old)) != _read(now.stub_path(new)):
        yield f"`{now.stub_path(new).relative_to(now.root).as_posix()}` has changed; keep your answer when you copy it"
    if _asked(before, old) != _asked(now, new):
        yield "its shown checks ask something else"


def _asked(course: Course, exercise: Exercise) -> object:
    try:
        return handout.asked((course.folder(exercise) / handout.NAME).read_bytes())
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _engine(root: Path) -> list[bytes]:
    return [wheel.read_bytes() for wheel in sorted(root.glob("*.whl"))]


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
