"""`headcount gradescope`: the zip, laid out as Gradescope does, grades a submission."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conftest import Run
from tests.integrations.test_reports import GRADESCOPE
from tests.teach.test_grade import HEAVIEST, RIGHT, WRONG, graded, hand_in

K1, K2 = "k1_scale_recipe", "k2_heaviest"
METADATA = {
    "id": 1, "created_at": "2026-03-01T14:22:32.365935-07:00", "submission_method": "upload",
    "assignment": {"title": "Kitchen", "due_date": "2026-03-02T23:00:00.000000-07:00", "total_points": "5.0"},
    "users": [{"email": "ada@example.org", "id": 3, "name": "Ada"}], "previous_submissions": [],
}  # fmt: skip


class Gradescope:
    """What Gradescope's machine does with the zip, in a folder of its own instead of /autograder."""

    def __init__(self, root: Path, bundle: Path) -> None:
        self.root = root
        for name in ("source", "submission", "results"):
            (root / name).mkdir(parents=True)
        with zipfile.ZipFile(bundle) as packed:
            for entry in packed.infolist():
                path = Path(packed.extract(entry, root / "source"))
                path.chmod(entry.external_attr >> 16)
        shutil.copy(root / "source" / "run_autograder", root)
        (root / "submission_metadata.json").write_text(json.dumps(METADATA))

    def hand_in(self, exercise: str, source: str) -> None:
        """Put a file into the submission."""
        (self.root / "submission" / f"{exercise}.py").write_text(source)

    def run(self, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the script itself, as a program."""
        own = {"AUTOGRADER_ROOT": str(self.root), "HEADCOUNT_PYTHON": sys.executable}
        command = [str(self.root / "run_autograder")]
        environment = os.environ | own | variables
        return subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False)

    @property
    def results(self) -> dict[str, Any]:
        """The results, valid by the documented rules."""
        path = self.root / "results" / "results.json"
        found = json.loads(path.read_text("utf-8"), parse_constant=pytest.fail)
        jsonschema.Draft202012Validator(GRADESCOPE).validate(found)
        return dict(found)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small course as an autograder."""
    out = tmp_path_factory.mktemp("bundle") / "kitchen.zip"
    kitchen = Path(__file__).parents[1] / "courses" / "kitchen"
    command = [sys.executable, "-m", "autograder", "gradescope", str(out)]
    run = subprocess.run(command, cwd=kitchen, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return out


@pytest.fixture
def machine(tmp_path: Path, bundle: Path) -> Gradescope:
    """A machine with that autograder."""
    return Gradescope(tmp_path / "autograder", bundle)


def test_what_the_zip_holds(bundle: Path) -> None:
    """Both scripts at the top, executable, with a first line and without carriage returns; nothing lies elsewhere."""
    with zipfile.ZipFile(bundle) as packed:
        entries = {entry.filename: entry for entry in packed.infolist()}
        for name in ("setup.sh", "run_autograder"):
            text = packed.read(name)
            assert text.startswith(b"#!/usr/bin/env bash\n")
            assert b"\r" not in text
            assert entries[name].external_attr >> 16 & 0o111
            assert subprocess.run(["bash", "-n"], input=text, check=False).returncode == 0
        assert packed.read("exercises.txt").decode().split() == [K1, K2]
        assert b"headcount==" in packed.read("requirements.txt")
        assert packed.read("course/.headcount/secret") == os.environ["HEADCOUNT_SECRET"].encode()
    assert {name.partition("/")[0] for name in entries if not name.endswith(".whl")} == {
        "setup.sh", "run_autograder", "exercises.txt", "requirements.txt", "course",
    }  # fmt: skip


def test_a_submission(machine: Gradescope, kitchen: Path, headcount: Run) -> None:
    """The points of each check are those of `headcount grade`; hidden checks wait until marks are published."""
    machine.hand_in(K1, WRONG)
    machine.hand_in(K2, HEAVIEST)
    run = machine.run()
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith("Isolation: level ")
    found = machine.results
    assert found["stdout_visibility"] == "hidden"
    hand_in(kitchen / "class", "ada", K1, WRONG)
    hand_in(kitchen / "class", "ada", K2, HEAVIEST)
    rows = graded(headcount, kitchen, kitchen / "class")
    assert {test["name"]: (test["score"], test["output"]) for test in found["tests"]} == {
        f"{row['exercise']}::{check['id']}": (check["points"], check["message"])
        for row in rows.values() for check in row["checks"]
    }  # fmt: skip
    assert {test["visibility"] for test in found["tests"] if test["name"] == f"{K2}::found"} == {"after_published"}
    assert math.fsum(test["max_score"] for test in found["tests"]) == 5


@pytest.mark.parametrize("level", ["2", "1"])
def test_weaker_isolation_is_said(machine: Gradescope, level: str) -> None:
    """That a container gives less than full isolation is told to the instructor; the marks are the same."""
    machine.hand_in(K1, RIGHT)
    run = machine.run(HEADCOUNT_HIGHEST_ISOLATION=level)
    assert run.returncode == 0, run.stdout
    assert run.stdout.startswith(f"Isolation: level {level} of 3, good")
    assert machine.results["extra_data"]["isolation"] == int(level)
    assert sum(test["score"] for test in machine.results["tests"]) == 3


def test_no_isolation(machine: Gradescope) -> None:
    """Nothing is run, nobody gets a zero, and the instructor reads why."""
    machine.hand_in(K1, RIGHT)
    run = machine.run(HEADCOUNT_HIGHEST_ISOLATION="0")
    assert run.returncode == 1
    assert "Not graded: This machine cannot shut in other people's code, so nothing was run." in run.stdout
    assert not list((machine.root / "results").iterdir())


def test_a_submission_that_gives_trouble(machine: Gradescope) -> None:
    """A link costs the upload with its reason; a file with a nearly right name is named to its learner."""
    machine.hand_in("k1_scale_recipes", RIGHT)
    machine.hand_in(K2, "import os\nos._exit(0)\n")
    assert machine.run().returncode == 0
    assert "did you mean k1_scale_recipe.py?" in machine.results["output"]
    assert sum(test["score"] for test in machine.results["tests"]) == 0
    (machine.root / "submission" / f"{K1}.py").symlink_to("/etc/passwd")
    assert machine.run().returncode == 0
    (refused,) = machine.results["tests"]
    assert (refused["name"], refused["score"], refused["max_score"]) == ("upload", 0, 5)


@pytest.mark.parametrize("metadata", ["[]", '{"users": [{"email": 3}], "created_at": "yesterday"}'])
def test_metadata_of_another_form(machine: Gradescope, metadata: str) -> None:
    """What Gradescope says about a submission may change its form: the submission is graded all the same."""
    (machine.root / "submission_metadata.json").write_text(metadata)
    machine.hand_in(K1, RIGHT)
    assert machine.run().returncode == 0
    assert sum(test["score"] for test in machine.results["tests"]) == 3


def test_late(kitchen: Path, headcount: Run, tmp_path: Path) -> None:
    """It is Gradescope's time that counts, not that of the files; one exercise can be an assignment of its own."""
    course = kitchen / "course.yaml"
    course.write_text(course.read_text() + "late: {due: 2026-02-28T12:00-07:00, penalty_per_day: 10}\n")
    assert headcount("gradescope", "build/k1.zip", "k1", cwd=kitchen).stdout == "1 exercise: build/k1.zip\n"
    machine = Gradescope(tmp_path / "autograder", kitchen / "build" / "k1.zip")
    machine.hand_in(K1, RIGHT)
    machine.hand_in(K2, HEAVIEST)
    assert machine.run().returncode == 0
    tests = machine.results["tests"]
    assert {test["name"].partition("::")[0] for test in tests} == {K1}
    assert {test["extra_data"]["late_days"] for test in tests} == {2}
    assert sum(test["score"] for test in tests) == pytest.approx(2.4)


def test_a_course_that_needs_what_lies_beside_it(kitchen: Path, headcount: Run) -> None:
    """Folders that probes read from are packed; a file they cannot find stops the build with its place."""
    probes = kitchen / "solutions" / K1 / "probes.py"
    read = '\nfrom pathlib import Path\nSHELVES = (Path(__file__).parents[2] / "pantry" / "all.txt").read_text()\n'
    probes.write_text(probes.read_text() + read)
    (kitchen / "pantry").mkdir()
    (kitchen / "pantry" / "all.txt").write_text("three")
    assert headcount("gradescope", "out.zip", cwd=kitchen).returncode == 0
    assert "course/pantry/all.txt" in zipfile.ZipFile(kitchen / "out.zip").namelist()
    probes.write_text(probes.read_text().replace('"pantry" / "all.txt"', '"pan" "try/all.txt"'))
    run = headcount("gradescope", "again.zip", cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert f"solutions/{K1}/probes.py" in run.stderr
    assert not (kitchen / "again.zip").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["out"], "end it with .zip"),
        (["out.zip", "k7"], "There is no exercise 'k7'"),
        (["course.yaml/x.zip"], "course"),
    ],
)
def test_clumsy_arguments(kitchen: Path, headcount: Run, arguments: list[str], says: str) -> None:
    """One clear line."""
    run = headcount("gradescope", *arguments, cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
