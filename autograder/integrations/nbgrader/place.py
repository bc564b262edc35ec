"""Where things are in nbgrader's course folder, as its own configuration says."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from autograder.course.errors import CourseError, display, installing

CONFIG, GRADEBOOK = "nbgrader_config.py", "gradebook.db"
#: Where the ledger and results.jsonl of the folder are kept.
MARKS = "headcount"


@dataclass(frozen=True)
class Place:
    """An nbgrader course folder."""

    root: Path
    db_url: str
    course_id: str

    def source(self, name: str) -> Path:
        """The notebook that an assignment is generated from; an assignment has one notebook, of its own name."""
        return self.root / "source" / name / f"{name}.ipynb"

    def submitted(self) -> Path:
        """One folder for each student, with one for each assignment."""
        return self.root / "submitted"

    def autograded(self, student: str, name: str) -> Path:
        """The folder in which formgrader and generate_feedback look for a graded notebook."""
        return self.root / "autograded" / student / name


def place_at(root: Path, db_url: str | None) -> Place:
    """The course folder at `root`, with its own gradebook where no other is given. Raises CourseError."""
    if not (root / CONFIG).is_file():
        mend = f"`headcount nbgrader init {display(root)}` makes a course folder."
        raise CourseError((f"{display(root)}: holds no {CONFIG}. {mend}",))
    require_nbgrader()
    from traitlets.config.loader import PyFileConfigLoader

    try:
        config = PyFileConfigLoader(CONFIG, path=str(root)).load_config().get("CourseDirectory", {})
    except Exception as error:  # it is a program of the instructor's own
        problem = f"cannot be run: {type(error).__name__}: {error}"
        raise CourseError((f"{display(root / CONFIG)}: {problem}",)) from None
    own = f"sqlite:///{(root / GRADEBOOK).absolute()}"
    return Place(root, db_url or str(config.get("db_url", own)), str(config.get("course_id", "")))


def require_nbgrader() -> None:
    """Raise CourseError where nbgrader is not installed. Importing it would take seconds."""
    if find_spec("nbgrader") is None:
        mend = installing("'headcount[nbgrader]'")
        raise CourseError((f"This needs nbgrader, which is not installed here: {mend}",))
