"""The exports that gradebooks import as CSV, read back by Python's csv module."""

from __future__ import annotations

import csv
import io
import math
import re
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.integrations.conftest import STRANGE

FORMATS = ("canvas", "moodle", "nbgrader-csv")
ROSTER = (
    "Learner,id,sis id,Login,email,name,section,unknown\r\n"
    'ada,4711,s1,ada1,ada@example.org,"Lovelace, Ada",A,x\r\n'
    '"=bo, ""the"" \'late\'\none",4712,s2,bo1,bo@example.org,Bo Ek,B,x\r\n'
    "cleo,4713,s3,cleo1,cleo@example.org,=Cleo,B\r\n"
    "d\u202eora,4714,s4,dora1,dora@example.org,דורה,A,x\r\n"
    "eve,4715,s5,eve1,eve@example.org,Eve,A,x\r\n"
    ",,,,,,,\r\n"
)


def exported(headcount: Run, course: Path, marks: Path, form: str, *options: str | Path) -> list[list[str]]:
    """Export with the real command, in a course; the cells."""
    path = marks / "export.csv"
    run = headcount("export", marks, "--format", form, "--to", path, *options, cwd=course)
    assert run.returncode == 0, run.stderr
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""), strict=True))


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    """A roster of the class, and one who handed in nothing."""
    path = tmp_path / "roster.csv"
    path.write_bytes(ROSTER.encode("utf-8-sig"))
    return path


def test_canvas(kitchen: Path, marks: Path, roster: Path, headcount: Run) -> None:
    """The header, the line of points possible, and a number for each learner, found by any of three ids."""
    header, possible, *lines = exported(headcount, kitchen, marks, "canvas", "--roster", roster)
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Kitchen arithmetic"]
    assert possible == ["    Points Possible", "", "", "", "", "5"]
    assert lines[0] == ["Lovelace, Ada", "4711", "s1", "ada1", "A", "2"]
    assert [line[5] for line in lines] == ["2", "1.6", "0", "5"]
    assert [line[0] for line in lines][2:] == ["'=Cleo", "דורה"]


def test_canvas_without_a_roster(kitchen: Path, marks: Path, headcount: Run) -> None:
    """Learners who handed in under their login need no roster."""
    _, _, ada, *_ = exported(headcount, kitchen, marks, "canvas", "--title", "Week 3 (9001)")
    assert ada == ["ada", "", "", "ada", "", "2"]


def test_moodle(kitchen: Path, marks: Path, roster: Path, headcount: Run) -> None:
    """Marks after lateness, and a feedback whose markup Moodle shows instead of obeying it."""
    header, ada, bo, cleo, dora = exported(headcount, kitchen, marks, "moodle", "--roster", roster)
    assert header[:3] == ["Username", "ID number", "Email address"]
    assert ada[:4] == ["ada1", "4711", "ada@example.org", "2"]
    assert "k2_heaviest: 0 of 2: k2_heaviest.py was not handed in." in ada[4]
    assert "k1_scale_recipe: 1.6 of 3, 2 days late: =1+1" in bo[4]
    assert cleo[3:] == ["0", "The last upload was refused: cleo.zip: is no archive"]
    assert len(dora[4]) < 10_000
    assert all("<" not in line[4] for line in (ada, bo, cleo, dora))


def test_nbgrader(kitchen: Path, marks: Path, roster: Path, headcount: Run) -> None:
    """nbgrader's eleven columns; the score is the raw score less the penalty."""
    lines = exported(headcount, kitchen, marks, "nbgrader-csv", "--roster", roster)
    assert ",".join(lines[0]) == (
        "assignment,duedate,timestamp,student_id,last_name,first_name,email,"
        "raw_score,late_submission_penalty,score,max_score"
    )
    rows = [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    assert (rows[1]["student_id"], rows[1]["last_name"], rows[1]["first_name"]) == ("4712", "Ek", "Bo")
    assert [rows[1][name] for name in ("raw_score", "late_submission_penalty", "score")] == ["2", "0.4", "1.6"]
    for each in rows:
        assert math.isclose(float(each["raw_score"]) - float(each["late_submission_penalty"]), float(each["score"]))
        assert each["max_score"] == "5"


@pytest.mark.parametrize("form", FORMATS)
def test_names_that_want_to_be_more(kitchen: Path, marks: Path, headcount: Run, form: str) -> None:
    """Commas, quotes, line breaks, formulas, direction marks and control characters in names stay one harmless cell."""
    lines = exported(headcount, kitchen, marks, form)
    cells = [cell for line in lines for cell in line]
    assert len({len(line) for line in lines}) == 1
    assert f"'{STRANGE}" in cells
    assert r"d\u202eora" in cells
    assert not [cell for cell in cells if re.match(r"\s*[=+@＝＋－＠-]|[\t\r\n]", cell)]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", "".join(cells).replace("\r", ""))


def test_what_may_match_nobody_is_said(kitchen: Path, marks: Path, headcount: Run) -> None:
    """Who relies on the names of hand-ins hears which of them had to be changed."""
    run = headcount("export", marks, "--format", "canvas", cwd=kitchen)
    assert run.returncode == 0
    assert run.stdout.startswith("Student,ID,")
    assert "learner '=bo" in run.stderr
    assert r"learner 'd\u202eora'" in run.stderr


def test_who_handed_in_nothing_is_said(kitchen: Path, marks: Path, roster: Path, headcount: Run) -> None:
    """A person of the roster without results is named; they get no line, so nobody is given a 0 by mistake."""
    run = headcount("export", marks, "--format", "moodle", "--roster", roster, cwd=kitchen)
    assert "in the roster, but not graded: eve" in run.stderr
    assert "eve" not in run.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("learner,id\nada,1\n", "has no line for '=bo, \"the\" 'late'\none', 'cleo', 'd\\u202eora', who handed in"),
        ("learner,id\nada,1\nbo,1\n", "roster.csv:3: id '1' stands on line 2 already"),
        ("learner,id\nada,1\nada,2\n", "roster.csv:3: learner 'ada' stands on line 2 already"),
        ("learner;id\nada;1\nada;2\n", "roster.csv:3: learner 'ada' stands on line 2 already"),
        ("learner,id\n,1\n", "roster.csv:2: names no learner"),
        ("leaner,id\nada,1\n", "has no column 'learner' (columns: learner, id, sis_id, login, email, name"),
        ("leaner,id\nada,1\n", "Did you mean 'leaner'?"),
        ("", "has no column 'learner'"),
        (b"learner\nad\xe9\n", "is not UTF-8 text"),
        ("learner\n" + "a" * 200_000 + "\n", "is not CSV"),
    ],
)
def test_a_roster_that_does_not_hold(
    kitchen: Path, marks: Path, tmp_path: Path, headcount: Run, text: str | bytes, says: str
) -> None:
    """A roster that does not name exactly one person for each learner is refused with the place."""
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    run = headcount("export", marks, "--format", "canvas", "--roster", path, cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert says in run.stderr
    assert "Traceback" not in run.stderr
