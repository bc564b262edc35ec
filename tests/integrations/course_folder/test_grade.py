"""`headcount grade --nbgrader`: a class of students with every kind of notebook, graded into nbgrader's gradebook."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.integrations.course_folder.conftest import (
    CARD,
    HEADCOUNT,
    HEAVIEST,
    K1,
    K2,
    NAME,
    QUIZ,
    RIGHT,
    SCORES,
    TEXT,
    WRONG,
    Nbgrader,
    answered,
    comments,
    hand_in,
    rows,
    scores,
)  # fmt: skip
from tests.integrations.course_folder.students import a_class, model_quiz

FULL = {K1: 3.0, K2: 2.0, QUIZ: 6.0, TEXT: None}


def grade(folder: Path, *options: str) -> str:
    """Grade the folder with the real command; what it says on standard error."""
    command = [*HEADCOUNT, "grade", "--nbgrader", folder, *options]
    run = subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False)
    assert (run.returncode, "Traceback" in run.stderr) == (0, False), run.stderr
    return run.stderr


@pytest.fixture(scope="module")
def graded(market_course: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A course folder with the twelve students graded, and what was said while grading."""
    market = Path(shutil.copytree(market_course, tmp_path_factory.mktemp("class") / "market"))
    a_class(market, market / "nb")
    return market / "nb", grade(market / "nb")


def mark(folder: Path, student: str, points: float, comment: str) -> None:
    """What formgrader does when somebody types a mark for the text and a comment, and leaves the fields."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "kitchen_arithmetic") as gradebook:
        found = gradebook.find_grade(TEXT, NAME, NAME, student)
        found.manual_score, found.needs_manual_grade = points, False
        gradebook.find_comment(TEXT, NAME, NAME, student).manual_comment = comment
        gradebook.db.commit()


def text_of(folder: Path, student: str) -> tuple[float | None, float | None, bool]:
    """Automatic points of the text, a person's, and whether somebody should look at it."""
    (found,) = [each for each in rows(folder, SCORES) if each[:2] == (student, TEXT)]
    return found[2], found[3], bool(found[4])


def test_every_student_gets_what_their_answers_deserve(graded: tuple[Path, str]) -> None:
    """Whatever happened to the cells: what can be told apart is graded, the rest costs its own exercise only."""
    folder, _ = graded
    nothing = {K1: 0.0, K2: 0.0, QUIZ: 0.0, TEXT: 0.0}
    assert scores(folder) == {
        "ada": FULL,
        "bo": nothing | {K2: 2.0, TEXT: None},
        "cy": nothing,  # points, locks, checks and outputs are not the student's to write
        "dora": nothing | {K2: 2.0},
        "eve": nothing | {K1: 3.0, K2: 2.0},
        "finn": nothing | {K1: 3.0},
        "gwen": FULL,
        "hal": nothing,
        "ida": nothing | {K1: 3.0, K2: 2.0},
        "jo": FULL | {K2: 0.0},
        "kim": nothing | {K1: 3.0, K2: 2.0},
        "lee": FULL | {K2: 0.0},
    }
    assert not list(folder.parent.rglob("pwned"))


def test_everything_mended_is_told(graded: tuple[Path, str]) -> None:
    """On standard error and beside the answer: which cell was taken, and what to do about a file that is none."""
    folder, said = graded
    told = comments(folder)
    for student, exercise, what in (
        ("dora", K1, "none looks like its answer"),
        ("eve", K1, "was there 2 times (cells 4, 5)"),
        ("finn", K1, "notebook commands (! or % first) were left out: line 1, line 2"),
        ("hal", QUIZ, "k_kitchen.ipynb was not read: it is not a notebook or is damaged"),
        ("ida", K1, "its cell was split; cells 4, 5 were put together"),
        ("jo", K1, "no cell is called k1_scale_recipe; cell 4 was taken for it"),
        ("jo", TEXT, "no cell is called k4_harbour; cell 13 was taken for it"),
        ("kim", K1, "had become a cell of type markdown"),
        ("lee", K2, "half a character"),
    ):
        assert what in told[student, exercise]
        assert any(line.startswith(f"{student}: ") and what in line for line in said.splitlines()), (student, what)
    assert "Note" not in "".join(text for (student, _), text in told.items() if student in ("ada", "gwen"))


def test_comments_teach(graded: tuple[Path, str]) -> None:
    """The comment is the message of the command line, with points for parts."""
    told = comments(graded[0])["bo", K1]
    assert told.startswith("0 of 3 points.")
    assert "divide by written_for" in told


def test_late_is_late_as_in_the_ledger(graded: tuple[Path, str]) -> None:
    """Two started days cost 20 % of what was earned; an extension counts, and the gradebook knows how long it is."""
    folder, _ = graded
    taken = {student: penalty for student, *_, penalty in rows(folder, SCORES)}
    assert {student for student, penalty in taken.items() if penalty} == {"kim"}
    assert taken["kim"] == pytest.approx(1.0)
    found = dict(rows(folder, "select student_id, extension from submitted_assignment where extension is not null"))
    assert set(found) == {"gwen"}
    assert "2 days late, which costs 0.6" in comments(folder)["kim", K1]


def test_graded_notebooks_hold_answers_and_nothing_else(graded: tuple[Path, str]) -> None:
    """What a student put into cells, outputs and metadata beside the answers reaches nobody who grades."""
    nbformat = pytest.importorskip("nbformat")
    folder, _ = graded
    for student in scores(folder):
        path = folder / "autograded" / student / NAME / f"{NAME}.ipynb"
        book = nbformat.read(path, 4)
        nbformat.validate(book)
        assert [cell.id for cell in book.cells] == [cell.id for cell in book.cells if cell.id]
        assert {output.output_type for cell in book.cells for output in cell.get("outputs", ())} == {"stream"}
        assert "99.0" not in path.read_text("utf-8")
    ida = json.loads((folder / "autograded" / "ida" / NAME / f"{NAME}.ipynb").read_text("utf-8"))
    assert any("HALF = 2\n\n\n\ndef scale_recipe" in "".join(cell["source"]) for cell in ida["cells"])


def test_feedback_is_safe_and_gives_nothing_away(graded: tuple[Path, str], nbgrader: Nbgrader) -> None:
    """nbgrader's own command makes it; no tag or link of a student's survives, and nothing of solutions/ is in it."""
    folder, _ = graded
    nbgrader("generate_feedback", NAME, cwd=folder)
    pages = {path.parts[-3]: path.read_text("utf-8") for path in (folder / "feedback").rglob("*.html")}
    assert set(pages) == set(scores(folder))
    hidden = (folder.parent / "solutions" / K1 / "probes.py").read_text("utf-8") + RIGHT
    for student, page in pages.items():
        assert "<script>steal" not in page
        assert "onerror=steal()>" not in page
        assert 'href="javascript' not in page
        assert 'src="http://127' not in page
        shown = [line for line in hidden.splitlines() if len(line.strip()) > 25 and line.strip() in page]
        assert student in ("ada", "dora", "eve", "finn", "gwen", "ida", "jo", "kim", "lee") or not shown
    assert "divide by written_for" in pages["bo"]


def test_export_quotes_names(graded: tuple[Path, str], nbgrader: Nbgrader) -> None:
    """Commas and formulas in names stay in their cells."""
    folder, _ = graded
    with closing(sqlite3.connect(folder / "gradebook.db")) as gradebook, gradebook:
        gradebook.execute("update student set last_name = ?, first_name = ? where id = 'bo'", ("Ek, Jr.", "=1+1"))
    nbgrader("export", "--to", "grades.csv", cwd=folder)
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        found = {row["student_id"]: row for row in csv.DictReader(file)}
    assert (found["bo"]["last_name"], found["bo"]["first_name"]) == ("Ek, Jr.", "'=1+1")
    assert [found["kim"][name] for name in ("raw_score", "late_submission_penalty", "score", "max_score")] == [
        "5", "1", "4", "14",
    ]  # fmt: skip


def test_a_persons_marks_survive(market: Path, folder: Path) -> None:
    """What was typed into formgrader stays in the gradebook and counts in the ledger, until the text changes."""
    hand_in(folder, "ada", answered(market, k1=RIGHT, k4=CARD))
    grade(folder)
    assert text_of(folder, "ada") == (None, None, True)
    mark(folder, "ada", 2.5, "Which pier?")
    grade(folder)
    assert text_of(folder, "ada") == (None, 2.5, False)
    results = (folder / "headcount" / "results.jsonl").read_text("utf-8").splitlines()
    (found,) = [row for row in map(json.loads, results) if row["exercise"] == TEXT]
    assert (found["points"], found["message"]) == (2.5, "Which pier?")
    hand_in(folder, "ada", answered(market, k1=WRONG, k4=f"{CARD}Bring bread.\n"))
    grade(folder)
    assert text_of(folder, "ada") == (None, 2.5, True)  # for another text: to be looked at again
    assert scores(folder)["ada"][K1] == 0.0


def test_marks_given_on_the_command_line_reach_the_gradebook(market: Path, folder: Path, headcount: Run) -> None:
    """`headcount mark` and formgrader are two doors to the same mark."""
    hand_in(folder, "ada", answered(market, k4=CARD))
    grade(folder)
    run = headcount("mark", folder / "headcount", "ada", TEXT, "--points", "1.5", cwd=market)
    assert run.returncode == 0, run.stderr
    grade(folder)
    assert text_of(folder, "ada") == (None, 1.5, False)


@pytest.mark.slow
def test_nbgrader_alone_gives_honest_work_the_same_points(
    market: Path, folder: Path, nbgrader: Nbgrader
) -> None:  # fmt: skip
    """The cells that check an answer say its points when nbgrader runs them: right, partly right and untouched ones."""
    quiz = model_quiz(market).replace("area='", "area='1").replace("roots='a, b'", "roots='a'")
    hand_in(folder, "ada", answered(market, k1=RIGHT, k2=HEAVIEST, k3=model_quiz(market), k4=CARD))
    partly = "def scale_recipe(amounts, have, want):\n    amounts *= want / have\n    return amounts\n"
    hand_in(folder, "bo", answered(market, k1=partly, k3=quiz))
    grade(folder)
    ours = scores(folder)
    assert 0 < float(ours["bo"][K1] or 0) < 3
    assert 0 < float(ours["bo"][QUIZ] or 0) < 6
    nbgrader("autograde", NAME, "--force", cwd=folder)
    assert scores(folder) == ours
    grade(folder)  # and back again, over what nbgrader wrote
    assert scores(folder) == ours
    assert "points" in comments(folder)["bo", K1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("grade", "--nbgrader", "."), "holds no nbgrader_config.py"),
        (("grade", "--nbgrader", "nb"), "holds no student's folder"),
        (("grade", "nb", "--nbgrader", "nb"), "either a class or --nbgrader"),
        (("grade", "nb", "--out", "x", "--db", "sqlite://"), "--db goes with --nbgrader"),
        (("grade", "--nbgrader", "nb", "--db", "nonsense"), "the gradebook cannot be used"),
        (("grade", "--nbgrader", "nb", "--db", "sqlite:////nowhere/at/all.db"), "the gradebook cannot be used"),
        (("nbgrader", "init", "."), "is a folder with something else in it"),
        (("nbgrader", "init", "course.yaml"), "is a file"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    market_course: Path, headcount: Run, arguments: tuple[str, ...], says: str
) -> None:  # fmt: skip
    """Status 2, a sentence, no traceback."""
    run = headcount(*arguments, cwd=market_course)
    assert run.returncode == 2
    assert says in run.stderr
    assert "Traceback" not in run.stderr
