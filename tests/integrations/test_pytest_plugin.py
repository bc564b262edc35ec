"""pytest as a learner's loop and as an instructor's report, run as people run it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.teach.test_grade import HEAVIEST, RIGHT, WRONG, hand_in

PLUGIN = "autograder.integrations.pytest_plugin"
K1 = "k1_scale_recipe"
#: Nothing but bytes in a file: whoever imports it leaves a trace.
TRAP = "from pathlib import Path\nPath(__file__).with_suffix('.imported').touch()\n"


def run_pytest(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin, whether it is installed or lies on the path."""
    installed = any(each.value == PLUGIN for each in entry_points(group="pytest11"))
    command = [sys.executable, "-m", "pytest", *([] if installed else ["-p", PLUGIN]), "-p", "no:cacheprovider"]
    return subprocess.run([*command, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def outcomes(report: Path) -> dict[str, str]:
    """How each test of a JUnit report ended, by its id."""
    cases = ET.parse(report).getroot().iter("testcase")
    ends = ("failure", "error", "skipped")
    return {
        f"{case.attrib['classname'].replace('.', '::')}::{case.attrib['name']}": next(
            (end for end in ends if case.find(end) is not None), "passed"
        )
        for case in cases
    }


def test_the_entry_point() -> None:
    """An installed headcount brings the plugin, under the name that `-p no:headcount` switches off."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert about["project"]["entry-points"]["pytest11"] == {"headcount": PLUGIN}


def test_a_learners_loop(kitchen: Path) -> None:
    """A test for each check; a wrong answer is told like by `headcount check`, without a traceback of ours."""
    path = kitchen / "exercises" / f"{K1}.py"
    path.write_text(f"print('mine')\n{WRONG}")
    run = run_pytest(f"exercises/{K1}.py", cwd=kitchen)
    assert run.returncode == 1
    assert "2 failed, 1 skipped" in run.stdout
    assert "divide by written_for" in run.stdout
    assert "mine" in run.stdout
    assert "autograder/" not in run.stdout.partition("FAILURES")[2]
    path.write_text(RIGHT)
    run = run_pytest(f"exercises/{K1}.py", cwd=kitchen)
    assert "3 passed" in run.stdout, run.stdout
    assert '"solved": true' in (kitchen / ".headcount" / "progress.json").read_text()


def test_a_file_that_cannot_be_read(kitchen: Path) -> None:
    """One test says why; the others do not repeat it."""
    (kitchen / "exercises" / f"{K1}.py").write_text("def scale_recipe(\n")
    run = run_pytest("exercises", "-k", K1, cwd=kitchen)
    assert "3 failed" in run.stdout
    assert run.stdout.count("Python cannot read the file") == 2  # the failure, and pytest's summary of it


@pytest.mark.parametrize("target", [f"exercises/{K1}.py", "exercises", "."])
def test_nothing_of_a_learner_is_imported(kitchen: Path, target: str) -> None:
    """Neither a file that is named nor one that is found runs in the process of pytest, not even for doctests."""
    path = kitchen / "exercises" / f"{K1}.py"
    path.write_text(f"{TRAP}\n{RIGHT}")
    run = run_pytest(target, "--doctest-modules", "--collect-only", "-q", "-o", "python_files=*.py", cwd=kitchen)
    assert f"exercises/{K1}.py::amounts" in run.stdout
    assert f"exercises/{K1}.py::scale_recipe" not in run.stdout
    assert not path.with_suffix(".imported").exists()


def test_a_course_that_is_not_valid(kitchen: Path) -> None:
    """The place in course.yaml, instead of tests."""
    course = kitchen / "course.yaml"
    course.write_text(course.read_text().replace("needs: [k1_scale_recipe]", "needs: [k1_scale_recipes]"))
    run = run_pytest("exercises", cwd=kitchen)
    assert run.returncode == 2
    assert "course.yaml:" in run.stdout
    assert "Did you mean 'k1_scale_recipe'?" in run.stdout


@pytest.mark.parametrize("course", [None, "title: something else\n"])
def test_other_projects(tmp_path: Path, course: str | None) -> None:
    """Without a course of ours nothing is collected, changed or imported."""
    if course is not None:
        (tmp_path / "course.yaml").write_text(course)
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "test_own.py").write_text(
        "import sys\ndef test_own():\n"
        "    loaded = {n for n in sys.modules if n.split('.')[0] in ('autograder', 'torch', 'numpy', 'pydantic')}\n"
        f"    assert loaded == {{'autograder', 'autograder.integrations', {PLUGIN!r}}}\n"
    )
    run = run_pytest(cwd=tmp_path)
    assert "1 passed" in run.stdout, run.stdout


@pytest.fixture
def group(kitchen: Path) -> Path:
    """A class of four in the course: right, wrong, refused, unreadable; with files that pytest would import."""
    group = kitchen / "class"
    hand_in(group, "ada", K1, RIGHT)
    hand_in(group, "ada", "k2_heaviest", HEAVIEST)
    hand_in(group, "bo", K1, f"{TRAP}{WRONG}")
    hand_in(group, "test_dan", K1, "def scale_recipe(\n")
    (group / "cleo.zip").write_bytes(b"no archive")
    for folder in (group, group / "bo", group / "test_dan"):
        for name in ("conftest.py", "test_mine.py", "__init__.py"):
            (folder / name).write_text(TRAP)
    return group


def test_a_class(kitchen: Path, group: Path) -> None:
    """One test for each learner, exercise and check; points stand in the report that pytest writes."""
    run = run_pytest("--submissions", "class", "--junit-xml", "report.xml", cwd=kitchen)
    assert run.returncode == 1, run.stdout
    found = outcomes(kitchen / "report.xml")
    passed = {name for name, end in found.items() if end == "passed"}
    assert passed == {f"ada::{K1}::amounts", f"ada::{K1}::nobody", f"ada::{K1}::kept", "ada::k2_heaviest::found"}
    assert found["bo::k2_heaviest::found"] == "skipped"
    assert found["cleo::upload"] == "failure"
    assert found[f"test_dan::{K1}::kept"] == "failure"
    cases = ET.parse(kitchen / "report.xml").getroot().iter("testcase")
    points: dict[str, float] = {}
    for case in cases:
        told = {each.attrib["name"]: each.attrib["value"] for each in case.iter("property")}
        learner = case.attrib["classname"].partition(".")[0]
        points[learner] = points.get(learner, 0) + float(told["points"])
    assert points == {"ada": 5, "bo": 0, "cleo": 0, "test_dan": 0}
    assert "ada: 5 of 5" in run.stdout
    assert not list(group.rglob("*.imported"))


def test_a_class_from_inside(group: Path) -> None:
    """Standing in the class, and choosing from it: still nothing of it is imported, and the rest is left alone."""
    run = run_pytest("--submissions", ".", "-k", "bo::", cwd=group)
    assert "3 failed, 1 skipped" in run.stdout, run.stdout
    assert "bo: 0 of 5" in run.stdout
    assert "ada" not in run.stdout
    assert not list(group.rglob("*.imported"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--submissions", "nowhere"], "nowhere does not exist"),
        (["--submissions", "class", "class/ada"], "choose from it with -k"),
        (["--submissions", "course.yaml/x"], "does not exist"),
    ],
)
def test_clumsy_arguments(kitchen: Path, group: Path, arguments: list[str], says: str) -> None:
    """One clear line, and nothing is run."""
    run = run_pytest(*arguments, cwd=kitchen)
    assert run.returncode == 4
    assert says in run.stderr
    assert "Traceback" not in run.stderr


def test_a_machine_without_walls(kitchen: Path, group: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a class is run where nothing would shut it in."""
    monkeypatch.setenv("HEADCOUNT_HIGHEST_ISOLATION", "0")
    run = run_pytest("--submissions", "class", cwd=kitchen)
    assert run.returncode == 4
    assert "nothing was run" in run.stdout
