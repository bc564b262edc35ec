"""`headcount init`: a course from what was installed, in a folder of the learner's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from tests.learn.test_session import steps

Installed = Callable[..., "subprocess.CompletedProcess[str]"]


def test_a_course_is_laid_out(tmp_path: Path, headcount: Run) -> None:
    """Everything a self-learner needs is there, the stubs as if nobody had touched them."""
    run = headcount("init", "my course", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("  cd 'my course'\n  headcount\n")
    made = tmp_path / "my course"
    assert "Next: a1_causal_mask" in headcount(cwd=made).stdout
    for name in ("solutions", "docs/lessons", "checkpoints"):
        assert any((made / name).iterdir())
    assert not list(made.rglob("__pycache__"))
    for file in (ROOT / "exercises").rglob("*.*"):
        assert (made / file.relative_to(ROOT)).is_file()
    assert "is as it was at the beginning" in headcount("reset", "a4", cwd=made).stdout


@pytest.mark.parametrize("kind", ["file", "folder with a file", "folder with a hidden file"])
def test_nothing_is_overwritten(tmp_path: Path, headcount: Run, kind: str) -> None:
    """What is there already stays, and one line says what to do instead."""
    target = tmp_path / "mine"
    kept = target if kind == "file" else target / (".hidden" if "hidden" in kind else "notes.txt")
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("my notes")
    run = headcount("init", target, cwd=tmp_path)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert "name a new folder" in run.stderr
    assert kept.read_text() == "my notes"
    assert not target.is_dir() or list(target.iterdir()) == [kept]


def test_an_empty_folder_will_do(tmp_path: Path, headcount: Run) -> None:
    """Where the learner made the folder and went there, it is laid out in place."""
    assert headcount("init", ".", cwd=tmp_path).returncode == 0
    assert (tmp_path / "course.yaml").is_file()


def test_where_there_is_no_course(tmp_path: Path, headcount: Run) -> None:
    """The bare command says what this is and what to type; others say what is missing."""
    run = headcount(cwd=tmp_path)
    assert run.returncode == 0
    assert "Exercises that grade themselves" in run.stdout
    assert "headcount init attention" in run.stdout
    run = headcount("list", cwd=tmp_path)
    assert (run.returncode, "headcount init" in run.stderr) == (2, True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The command of the built wheel, in a venv that has nothing else but the dependencies."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-c", "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"]
    subprocess.run([*build, folder], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    home = folder / "venv"
    venv.create(home, with_pip=False)
    packages = next(home.glob("lib/python*/site-packages"))
    zipfile.ZipFile(wheel).extractall(packages)
    (packages / "dependencies.pth").write_text(str(Path(metadata.distribution("click").locate_file("")).resolve()))

    def run(*arguments: str, cwd: Path, how: str = "-mautograder") -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [home / "bin" / "python", how, *arguments]
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=240)

    return run


def test_from_the_wheel(installed: Installed, tmp_path: Path) -> None:
    """A newcomer without a clone gets the course, a verdict with its message, a hint, and the model answer."""
    assert str(ROOT) not in installed("--version", cwd=tmp_path).stdout
    assert installed("init", "attention", cwd=tmp_path).returncode == 0
    made = tmp_path / "attention"
    page = (ROOT / "docs" / "learner.md").read_text("utf-8")
    wrong, right = (text for name, text in steps(page) if name.startswith("exercises/"))
    stub = made / "exercises" / "a1_causal_mask.py"
    stub.write_text(wrong)
    assert "you hid the past, not the future" in installed("check", "a1", cwd=made).stdout
    assert "Hint 1 of 3" in installed("hint", "a1", cwd=made).stdout
    stub.write_text(right)
    assert installed("check", "a1", cwd=made).returncode == 0
    assert "np.tril" in installed("reveal", "a1", cwd=made).stdout
    assert installed("quiz", "a4", cwd=made).stdout.startswith("a4_read_the_pattern")


def test_a_worker_cannot_read_what_is_carried(installed: Installed, tmp_path: Path) -> None:
    """The course inside the installation is behind the walls, like the one that is laid out."""
    installed("init", "attention", cwd=tmp_path)
    made = tmp_path / "attention"
    (made / "exercises" / "a1_causal_mask.py").write_text(
        "import sys, pathlib\n"
        "def causal_mask(T):\n"
        "    places = [pathlib.Path(path) / 'autograder' for path in sys.path]\n"
        "    raise ValueError(f'found: {any((place / \"carried\").exists() for place in places)}')\n"
    )
    if json.loads(installed("doctor", "--json", cwd=made).stdout)["level"] == 0:
        pytest.skip("this machine has no walls")
    assert "found: False" in installed("check", "a1", cwd=made).stdout


def test_a_handout_gets_the_engine_alone(installed: Installed, tmp_path: Path) -> None:
    """Who releases a course with an engine from a wheel does not hand out the model answers inside it."""
    program = "import pathlib, sys; from autograder.authoring.wheel import write_wheel;"
    program += "write_wheel(pathlib.Path(sys.argv[1]))"
    installed(program, str(tmp_path), cwd=tmp_path, how="-c")
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "autograder/cli.py" in names
    assert not [name for name in names if "solution" in name or "carried" in name]
