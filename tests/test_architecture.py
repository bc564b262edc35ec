"""The walls between the rooms, and the engine's ignorance of what it grades."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course.load import load_course
from tests.conftest import ROOT

ENGINE = sorted((ROOT / "autograder").rglob("*.py"))


def test_imports_run_one_way() -> None:
    """The import contract of pyproject.toml holds: commands at the top, records at the bottom."""
    linter = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([linter], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


#: Names a learner defines that are also words for what the engine does.
EVERYDAY = {"check", "step"}


def test_the_engine_names_no_exercise() -> None:
    """No file of the engine mentions an exercise, a name a learner defines, or a misconception."""
    course = load_course(ROOT)
    words = {name for exercise in course.exercises for name in (exercise.id, *exercise.defines)}
    words |= {slug for family in course.families for slug in family.slugs}
    words -= EVERYDAY
    pattern = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in sorted(words)))
    found = [f"{path.name}: {hit[0]}" for path in ENGINE if (hit := pattern.search(path.read_text("utf-8")))]
    assert found == []


@pytest.mark.parametrize(
    "arguments", [[], ["list"], ["list", "--json"], ["hint"], ["reset", "k1"]],
    ids=["status", "list", "json", "hint", "reset"],
)  # fmt: skip
def test_light_commands_import_nothing_heavy(arguments: list[str], kitchen: Path) -> None:
    """Looking around loads neither torch nor NumPy, nbformat, pydantic or YAML, once the course is cached."""
    program = (
        "import sys; from autograder.cli import cli; cli(sys.argv[1:], standalone_mode=False);"
        "heavy = {'torch', 'numpy', 'nbformat', 'pydantic', 'ruamel', 'rich', 'starlette', 'jinja2', 'markdown_it'};"
        "sys.exit(str(heavy & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program, *arguments]
    for _ in range(2):  # the first run may have to read the YAML
        run = subprocess.run(command, cwd=kitchen, capture_output=True, text=True, check=False)
    assert run.stderr.strip() == "set()"


def test_checking_stage_a_imports_no_torch(tmp_path: Path) -> None:
    """A check of a NumPy exercise loads torch neither in the command nor in the worker."""
    answer = tmp_path / "a1_causal_mask.py"
    answer.write_text("import sys\ndef causal_mask(T):\n    raise ValueError(f'torch: {\"torch\" in sys.modules}')\n")
    program = (
        "import sys; from autograder.learn.check import check; check(sys.argv[1], as_json=False);"
        "sys.exit(str('torch' in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program, answer], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "torch: False" in run.stdout
    assert run.stderr.strip() == "False"


#: What a check may have loaded of the engine when it starts its workers: everything else loads beside them.
BEFORE_WORKERS = {
    "autograder", "autograder.cli", "autograder.errors", "autograder.learn", "autograder.learn.early",
    "autograder.learn.meeting", "autograder.sandbox", "autograder.sandbox.isolation", "autograder.sandbox.launch",
    "autograder.sandbox.paths", "autograder.sandbox.start",
}  # fmt: skip


def test_a_check_starts_its_workers_first(kitchen: Path) -> None:
    """A check loads neither course nor judge, and nothing large, before its workers are on their way."""
    program = (
        "import atexit, subprocess, sys; from autograder.cli import cli; loaded, start = [], subprocess.Popen;"
        "atexit.register(lambda: print(*loaded[0], sep='\\n', file=sys.stderr));"
        "subprocess.Popen = lambda *a, **how: loaded.append(set(sys.modules)) or start(*a, **how);"
        "cli(['check', 'k1'], standalone_mode=False)"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=kitchen, capture_output=True, text=True, check=False)
    loaded = set(run.stderr.split())
    assert {name for name in loaded if name.partition(".")[0] == "autograder"} <= BEFORE_WORKERS
    assert "autograder.sandbox.launch" in loaded
    assert not loaded & {"numpy", "hashlib", "tempfile", "shutil", "asyncio", "importlib.metadata", "rich"}


def test_a_check_loads_nothing_it_does_not_need(kitchen: Path) -> None:
    """What only classes, authors and other commands need stays out of a check, to its end."""
    program = (
        "import atexit, sys; from autograder.cli import cli;"
        "atexit.register(lambda: print(*sys.modules, sep='\\n', file=sys.stderr));"
        "cli(['check', 'k1'], standalone_mode=False)"
    )
    for _ in range(2):  # the first run may have to read the YAML
        run = subprocess.run([sys.executable, "-c", program], cwd=kitchen, capture_output=True, text=True, check=False)
    loaded = set(run.stderr.split())
    assert "autograder.judge.score" in loaded
    unneeded = {"autograder.learn.commands", "autograder.learn.watch", "autograder.papers", "autograder.grading"}
    assert not loaded & {*unneeded, "autograder.report.map", "torch", "pydantic", "ruamel", "rich", "asyncio"}


def test_a_zygote_loads_little_of_the_engine() -> None:
    """A keeper forks before it loads what a zygote is made of, and that is no record of what is judged."""
    program = (
        "import sys; import autograder.sandbox.keeper; early = set(sys.modules); import autograder.sandbox.zygote;"
        "print({'autograder.sandbox.zygote', 'dataclasses', 'ctypes'} & early);"
        "print({'autograder.records', 'autograder.course', 'pathlib', 'subprocess'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {program}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.stdout, run.stderr) == ("set()\nset()\n", "")


def test_nothing_in_the_tree_depends_on_this_machine() -> None:
    """No tracked file carries an absolute path of somebody's machine."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if not listed:
        pytest.skip("not a git checkout")
    pattern = re.compile(r"/(?:root|home|work|Users)/\w")
    found = []
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path.suffix in {".py", ".md", ".yaml", ".toml", ".txt"} and path.is_file():
            found += [f"{name}: {hit[0]}" for hit in [pattern.search(path.read_text("utf-8", "replace"))] if hit]
    assert [line for line in found if not line.startswith("tests/attacks/")] == []
