"""Progress in a plain file: nothing is lost by a crash, by another process, or by damage."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course.load import load_course
from autograder.files import write_whole
from autograder.learn.files import free_name, locked
from autograder.learn.progress import Progress, Record
from tests.conftest import ROOT, Run
from tests.learn.conftest import RIGHT, WRONG, answer

NOTE = """
import sys
from pathlib import Path
from autograder.course.load import load_course
from autograder.learn.progress import Progress
course = load_course(Path.cwd())
progress = Progress(course)
print("ready", flush=True)
sys.stdin.readline()
for number in range(20):
    progress.note_attempt(course.exercise(sys.argv[1]), False, f"{sys.argv[2]} {number}".encode())
"""


def test_two_processes_at_once_keep_each_others_entries(kitchen: Path) -> None:
    """Both have read the empty file before either writes; all tries of both are there in the end."""
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    writers = [
        subprocess.Popen([sys.executable, "-c", NOTE, id, name], cwd=kitchen, **pipe)  # type: ignore[call-overload]
        for id, name in [("k1_scale_recipe", "a"), ("k1_scale_recipe", "b"), ("k2_heaviest", "c")]
    ]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.communicate("go\n", timeout=60)
    course = load_course(kitchen)
    progress = Progress(course)
    assert [len(progress.of(exercise).tries) for exercise in course.exercises] == [40, 20]
    assert [progress.of(exercise).attempts for exercise in course.exercises] == [40, 20]


def test_a_crash_while_writing_leaves_the_old_file(
    kitchen: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the new file cannot be completed the old one stays, no draft is left, and it is said in one line."""
    course = load_course(kitchen)
    progress = Progress(course)
    progress.note_attempt(course.exercises[0], True, b"x")
    before = progress.path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    progress.note_hint(course.exercises[0])
    assert progress.path.read_bytes() == before
    assert sorted(path.name for path in progress.path.parent.iterdir()) == ["progress.json", "progress.lock"]
    assert progress.of(course.exercises[0]).hints == 1
    said = capsys.readouterr().err
    assert "No space left on device" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("text", ['{"k1_scale_recipe": [', "", "[1, 2]", "null", "\x00", "[" * 100_000])
def test_a_damaged_file_is_kept_aside(kitchen: Path, headcount: Run, text: str) -> None:
    """What cannot be read counts as a fresh start; the file is kept, one line says where, and then it is quiet."""
    (kitchen / ".headcount").mkdir()
    (kitchen / ".headcount" / "progress.json").write_text(text)
    run = headcount(cwd=kitchen)
    assert "0 of 2" in run.stdout
    assert run.stderr == (
        ".headcount/progress.json was damaged. It is kept as .headcount/progress.damaged.1; "
        "what could be read goes on.\n"
    )
    assert (kitchen / ".headcount" / "progress.damaged.1").read_text() == text
    assert headcount(cwd=kitchen).stderr == ""


def test_one_damaged_entry_costs_itself_alone(kitchen: Path, headcount: Run) -> None:
    """The other exercises stay solved, and an entry written by an older version counts."""
    (kitchen / ".headcount").mkdir()
    stored = {"k1_scale_recipe": {"solved": True, "attempts": 2}, "k2_heaviest": {"solved": "maybe"}}
    (kitchen / ".headcount" / "progress.json").write_text(json.dumps(stored))
    run = headcount(cwd=kitchen)
    assert "1 of 2 exercises solved" in run.stdout
    assert "progress.damaged.1" in run.stderr


@pytest.mark.parametrize(
    "entry",
    [{"attempts": -1}, {"attempts": True}, {"tries": "abc"}, {"tries": [1]}, {"solved": 1}, {"began": None}, 3, "ab"],
)
def test_entries_that_make_no_sense_are_left_out(kitchen: Path, entry: object) -> None:
    """Wrong kinds and negative counts are no record of anything."""
    (kitchen / ".headcount").mkdir()
    (kitchen / ".headcount" / "progress.json").write_text(json.dumps({"k1_scale_recipe": entry}))
    course = load_course(kitchen)
    assert Progress(course).of(course.exercises[0]) == Record()


def test_a_file_that_cannot_be_read_is_not_overwritten(kitchen: Path, headcount: Run) -> None:
    """The check is made all the same; that it could not be noted is said in one line."""
    (kitchen / ".headcount" / "progress.json").mkdir(parents=True)
    answer(kitchen, RIGHT)
    run = headcount("check", "k1", cwd=kitchen)
    assert "The 3 shown checks passed" in run.stdout
    assert len(run.stderr.splitlines()) == 1
    assert "progress.json: cannot be read (Is a directory)" in run.stderr


def test_what_is_remembered_of_an_exercise(kitchen: Path, headcount: Run) -> None:
    """Checks are counted, and different answers among them; a comment more makes no new one, a solution is dated."""
    for text in (WRONG, WRONG, f"# a thought\n\n{WRONG}", RIGHT):
        answer(kitchen, text)
        headcount("check", "k1", cwd=kitchen)
    (listed, _) = json.loads(headcount("list", "--json", cwd=kitchen).stdout)
    assert (listed["solved"], listed["attempts"], listed["tries"]) == (True, 4, 2)
    assert listed["began"] <= listed["solved_at"]
    assert listed["solved_at"].endswith("+00:00")


@pytest.mark.parametrize("text", [None, "def scale_recipe(:\n"], ids=["stub", "not Python"])
def test_what_is_no_try(kitchen: Path, headcount: Run, text: str | None) -> None:
    """An untouched stub, and a file that Python cannot read, are checks but no tries."""
    if text:
        answer(kitchen, text)
    headcount("check", "k1", cwd=kitchen)
    (listed, _) = json.loads(headcount("list", "--json", cwd=kitchen).stdout)
    assert (listed["attempts"], listed["tries"]) == (1, 0)


def test_an_empty_sheet_is_no_try(tmp_path: Path, headcount: Run) -> None:
    """A quiz is tried once something is answered."""
    course = Path(shutil.copytree(ROOT / "tests" / "courses" / "garden", tmp_path / "garden"))
    headcount("check", "g1", cwd=course)
    listed = json.loads(headcount("list", "--json", cwd=course).stdout)[0]
    assert (listed["attempts"], listed["tries"]) == (1, 0)


def test_a_lock_is_freed_by_the_death_of_its_holder(tmp_path: Path) -> None:
    """A killed process keeps nobody waiting."""
    path = tmp_path / "lock"
    program = "import sys; from pathlib import Path; from autograder.learn.files import locked\n"
    program += "with locked(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.kill()
    with locked(path):
        assert path.exists()


def test_kept_copies_are_numbered(tmp_path: Path) -> None:
    """The first free number is taken; a dangling link is not free."""
    path = tmp_path / "a.py"
    assert free_name(path).name == "a.py.1"
    write_whole(free_name(path), [b""])
    (tmp_path / "a.py.2").symlink_to("nowhere")
    assert free_name(path).name == "a.py.3"
