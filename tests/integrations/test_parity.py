"""One answer, many faces: wherever it is handed in it gets the same verdict and the same points.

A face is a function that hands in the whole sample one way and reads back what it got there. A new way to hand in is
one more line in FACES.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest
from ruamel.yaml import YAML

from tests.conftest import ROOT
from tests.integrations.test_gradescope import Gradescope
from tests.integrations.test_pytest_plugin import run_pytest

pytestmark = pytest.mark.slow
CORPUS = ROOT / "tests" / "corpus"
EXERCISES = {"causal_mask": "a1_causal_mask", "split_heads": "b2_split_heads"}
#: Of each exercise the right answer, and the wrong ones, at these places of the corpus.
LEARNERS = {"ada": ("correct", 0), "bo": ("wrong", 2), "cleo": ("wrong", 7)}


WHOLE = "all checks"


@dataclass(frozen=True)
class Got:
    """What one answer got: the points of each check that was run, and the verdict where a face tells it.

    A face that knows only what all checks together are worth tells it as those of the check WHOLE.
    """

    points: dict[str, float]
    verdict: str | None = None


Marks: TypeAlias = dict[tuple[str, str], Got]


@dataclass(frozen=True)
class Handed:
    """The sample as a class, and a course of its exercises alone."""

    course: Path
    group: Path

    def answers(self) -> Iterator[tuple[str, Path]]:
        """Each learner with each of their files."""
        for path in sorted(self.group.glob("*/*.py")):
            yield path.parent.name, path


@pytest.fixture(scope="module")
def handed(tmp_path_factory: pytest.TempPathFactory) -> Handed:
    """Three learners with two answers each."""
    root = tmp_path_factory.mktemp("parity")
    course, group = root / "course", root / "class"
    for name in ("exercises", "solutions"):
        shutil.copytree(ROOT / name, course / name)
    for book in (course / "exercises" / "notebooks").glob("*.ipynb"):
        book.unlink()
    yaml = YAML()
    about = yaml.load(ROOT / "course.yaml")
    about["exercises"] = [each | {"needs": []} for each in about["exercises"] if each["id"] in EXERCISES.values()]
    yaml.dump(about, course / "course.yaml")
    headcount("verify", "--fix", cwd=course)  # the notebooks are those of these exercises alone
    with (CORPUS / "MANIFEST.tsv").open(encoding="utf-8") as manifest:
        rows = list(csv.DictReader(manifest, delimiter="\t"))
    for learner, (kind, place) in LEARNERS.items():
        (group / learner).mkdir(parents=True)
        for target, exercise in EXERCISES.items():
            files = [row["file"] for row in rows if row["target"] == target and row["file"].startswith(kind)]
            shutil.copy(CORPUS / files[place], group / learner / f"{exercise}.py")
    return Handed(course, group)


def headcount(*arguments: str | Path, cwd: Path, command: tuple[str | Path, ...] = ()) -> str:
    """What the real command prints; its status says what was right and is nobody's concern here."""
    program = command or (sys.executable, "-m", "autograder")
    run = subprocess.run([*program, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def graded(handed: Handed) -> Marks:
    """What `headcount grade` says: all others are held against it."""
    headcount("grade", handed.group, "--out", handed.course / "out", cwd=handed.course)
    rows = map(json.loads, (handed.course / "out" / "results.jsonl").read_text("utf-8").splitlines())
    return {(row["learner"], row["exercise"]): _got(row) for row in rows}


def _got(row: dict[str, object]) -> Got:
    checks: list[dict[str, object]] = row["checks"]  # type: ignore[assignment]
    return Got({str(each["id"]): float(str(each["points"])) for each in checks}, str(row["verdict"]))


def by_check(handed: Handed, _: Path) -> Marks:
    """`headcount check FILE`, on the shown checks."""
    return {
        (learner, path.stem): _got(json.loads(headcount("check", path, "--json", cwd=handed.course)))
        for learner, path in handed.answers()
    }


def by_handout(handed: Handed, place: Path) -> Marks:
    """`headcount check` in a handout, which has nothing but keys."""
    headcount("release", place / "handout", cwd=handed.course)
    return {
        (learner, path.stem): _got(json.loads(headcount("check", path, "--json", cwd=place / "handout")))
        for learner, path in handed.answers()
    }


def by_pytest_at_home(handed: Handed, place: Path) -> Marks:
    """`pytest exercises`: a check that passes gives its points, any other none."""
    worth = _worth(handed)
    found: Marks = {}
    for learner in LEARNERS:
        for path in (handed.group / learner).iterdir():
            shutil.copy(path, handed.course / "exercises")
        run_pytest("exercises", "--junit-xml", str(place / "home.xml"), cwd=handed.course)
        for case in ET.parse(place / "home.xml").getroot().iter("testcase"):
            exercise, check = case.attrib["classname"].rpartition(".")[2], case.attrib["name"]
            passed = not [each for each in case if each.tag in ("failure", "skipped", "error")]
            got = found.setdefault((learner, exercise), Got({}))
            got.points[check] = worth[exercise][check] * passed
    return found


def by_pytest(handed: Handed, place: Path) -> Marks:
    """`pytest --submissions CLASS`, as its JUnit report tells."""
    run_pytest("--submissions", str(handed.group), "--junit-xml", str(place / "class.xml"), cwd=handed.course)
    found: Marks = {}
    for case in ET.parse(place / "class.xml").getroot().iter("testcase"):
        learner, exercise = case.attrib["classname"].split(".")
        told = {each.attrib["name"]: each.attrib["value"] for each in case.iter("property")}
        got = found.setdefault((learner, exercise), Got({}, told["verdict"]))
        got.points[case.attrib["name"]] = float(told["points"])
    return found


def by_gradescope(handed: Handed, place: Path) -> Marks:
    """The autograder that `headcount gradescope` builds, run for each learner."""
    headcount("gradescope", place / "bundle.zip", cwd=handed.course)
    found: Marks = {}
    for learner in LEARNERS:
        machine = Gradescope(place / learner, place / "bundle.zip")
        for path in (handed.group / learner).iterdir():
            machine.hand_in(path.stem, path.read_text("utf-8"))
        assert machine.run().returncode == 0
        for test in machine.results["tests"]:
            exercise, _, check = test["name"].partition("::")
            got = found.setdefault((learner, exercise), Got({}, test["extra_data"]["verdict"]))
            got.points[check] = test["score"]
    return found


def by_cell(handed: Handed, _: Path) -> Marks:
    """`check` in a notebook's cell, as nbgrader runs it for points, in a kernel for each learner."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    variables = {"NBGRADER_EXECUTION": "autograde", "HEADCOUNT_COURSE": str(handed.course), "PYTHONPATH": str(ROOT)}
    found: Marks = {}
    for learner in LEARNERS:
        sources = ["from autograder.integrations.jupyter import check"]
        for target, exercise in EXERCISES.items():
            sources += [
                (handed.group / learner / f"{exercise}.py").read_text("utf-8"),
                f"check('{exercise}', {target})",
            ]
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        client = nbclient.NotebookClient(book, timeout=240, kernel_name="python3")
        client.create_kernel_manager()
        client.execute(env=os.environ | variables)
        for exercise, cell in zip(EXERCISES.values(), book.cells[2::2], strict=True):
            found[learner, exercise] = Got({WHOLE: float(cell.outputs[0].data["text/plain"])})
    return found


def by_nbgrader(handed: Handed, place: Path) -> Marks:
    """`headcount grade --nbgrader`, as the gradebook tells."""
    pytest.importorskip("nbgrader")
    from tests.integrations.course_folder.conftest import cell_of, hand_in, scores

    headcount("nbgrader", "init", place / "nb", cwd=handed.course)
    for learner in LEARNERS:
        for path in (handed.course / "exercises" / "notebooks").iterdir():
            book = json.loads(path.read_text("utf-8"))
            for exercise in EXERCISES.values():
                if exercise[0] == path.stem[0]:
                    cell_of(book, exercise)["source"] = (handed.group / learner / f"{exercise}.py").read_text("utf-8")
            hand_in(place / "nb", learner, book, name=path.stem)
    headcount("grade", "--nbgrader", place / "nb", cwd=handed.course)
    return {
        (learner, exercise): Got({WHOLE: float(points or 0)})
        for learner, told in scores(place / "nb").items()
        for exercise, points in told.items()
    }


def _worth(handed: Handed) -> dict[str, dict[str, float]]:
    about = YAML(typ="safe").load(handed.course / "course.yaml")
    return {each["id"]: {id: check["points"] for id, check in each["checks"].items()} for each in about["exercises"]}


FACES: dict[str, Callable[[Handed, Path], Marks]] = {
    "check": by_check,
    "handout": by_handout,
    "pytest exercises": by_pytest_at_home,
    "pytest --submissions": by_pytest,
    "gradescope": by_gradescope,
    "notebook cell": by_cell,
    "nbgrader": by_nbgrader,
}
#: What runs on a learner's machine knows the shown checks only.
AT_HOME = ("check", "handout", "pytest exercises")


@pytest.mark.parametrize("face", FACES)
def test_the_same_everywhere(handed: Handed, graded: Marks, tmp_path: Path, face: str) -> None:
    """Verdict and points of every check are those of `headcount grade`."""
    assert {got.verdict == "OK" for got in graded.values()} == {True, False}
    found = FACES[face](handed, tmp_path)
    assert found.keys() == graded.keys()
    for answer, got in found.items():
        wanted = graded[answer].points
        if face in AT_HOME:
            assert got.points.keys() <= wanted.keys()
            wanted = {check: points for check, points in wanted.items() if check in got.points}
        if WHOLE in got.points:
            wanted = {WHOLE: sum(wanted.values())}
        assert got.points == pytest.approx(wanted), answer
        assert got.verdict in (None, graded[answer].verdict), answer
