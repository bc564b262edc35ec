"""What is raised when a course cannot be used, and the words these messages share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from autograder.errors import HeadcountError


class CourseError(HeadcountError):
    """Raised when course.yaml, or what was asked of it, does not hold; carries every problem found, one line each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(self.problems)


class ContentError(CourseError):
    """Raised when a file in solutions/ does not keep the contract of docs/authoring.md."""


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """` Did you mean 'scale_recipe'?` with a leading space, or nothing where no option is close."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(options), n=1)
    return f" Did you mean '{close[0]}'?" if close else ""


def display(path: Path) -> str:
    """The path as a person would type it: relative to the current folder where it lies below, else as given."""
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return str(path)


def installing(package: str) -> str:
    """The command that installs a package, with the pinned versions where they lie in this folder."""
    pins = "-c constraints.txt " if Path("constraints.txt").is_file() else ""
    return f"pip install {pins}{package}"
