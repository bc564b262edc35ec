"""`headcount release`: what a class gets, and what it must not get."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from autograder import __version__
from autograder.course import content
from autograder.course.load import load_course
from autograder.handout import unpack
from tests.conftest import ROOT, Run
from tests.teach.test_regrade import edit

K1, K2 = "k1_scale_recipe", "k2_heaviest"
Check = Callable[..., dict[str, Any]]


def read(path: Path) -> bytes:
    """Everything in a file of a handout that could be read with some effort."""
    data = path.read_bytes()
    return unpack(data) if path.name == "key" else data


def packed(frames: bytes) -> bytes:
    """A key file of these frames."""
    body = zlib.compress(frames)
    return sha256(body).digest() + body


def files(folder: Path) -> list[str]:
    """The files of a folder, relative to it."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def handout(kitchen: Path, headcount: Run) -> Path:
    """The small course, released; the course itself is gone."""
    run = headcount("release", kitchen.parent / "handout", cwd=kitchen)
    assert run.returncode == 0, run.stderr
    shutil.rmtree(kitchen)
    return kitchen.parent / "handout"


def test_what_a_class_gets(kitchen: Path, headcount: Run) -> None:
    """Stubs, the list, keys, and how to install; what has to stay behind is said."""
    run = headcount("release", "build/handout", cwd=kitchen)
    assert (run.returncode, run.stdout) == (0, "2 exercises: build/handout\n")
    assert run.stderr == f"{K2}: shown probes that call back into the grader stay behind (2 of 2).\n"
    assert files(kitchen / "build/handout") == [
        "README.md", "course.yaml", f"exercises/{K1}.py", f"exercises/{K2}.py",
        f"headcount-{__version__}-py3-none-any.whl", f"keys/{K1}/key", f"keys/{K2}/driver.py", f"keys/{K2}/key",
        "requirements.txt",
    ]  # fmt: skip
    assert f"headcount=={__version__}" in (kitchen / "build/handout/requirements.txt").read_text()


def test_the_list_of_a_handout_gives_nothing_away(kitchen: Path, headcount: Run) -> None:
    """No list of what can go wrong, no author's comment, no learner's name; hints and checks are there."""
    edit(
        kitchen / "course.yaml", "title: Kitchen",
        "# do not tell\nlate: {due: 2026-03-02T18:00Z, extensions: {zelda: 2026-03-09T18:00Z}}\ntitle: Kitchen",
    )  # fmt: skip
    assert headcount("release", "out", cwd=kitchen).returncode == 0
    course = load_course(kitchen / "out")
    assert (course.released, course.families) == (True, ())
    assert course.late
    assert course.late.due == "2026-03-02T18:00Z"
    assert [e.hints for e in course.exercises] == [e.hints for e in load_course(kitchen).exercises]
    text = (kitchen / "out" / "course.yaml").read_text()
    assert not [word for word in ("ratio-", "zelda", "do not tell") if word in text]


def test_a_quiz_is_marked_when_it_is_handed_in(headcount: Run, tmp_path: Path) -> None:
    """The class gets the sheet, and neither answers nor explanations."""
    garden = Path(shutil.copytree(ROOT / "tests" / "courses" / "garden", tmp_path / "garden"))
    run = headcount("release", "out", cwd=garden)
    assert run.stderr == "g1_beds: is a quiz, whose answers stay behind; it is marked when it is handed in.\n"
    assert (garden / "out/exercises/g1_beds.yaml").read_text() == (garden / "exercises/g1_beds.yaml").read_text()
    assert not (garden / "out" / "keys").exists()
    run = headcount("check", "g1", cwd=garden / "out")
    assert (run.returncode, run.stderr) == (2, "g1_beds: can only be marked where the course is graded.\n")


def test_a_text_is_marked_when_it_is_handed_in(headcount: Run, tmp_path: Path) -> None:
    """The class gets the question, and neither rubric nor model answer."""
    postcards = Path(shutil.copytree(ROOT / "tests" / "courses" / "postcards", tmp_path / "postcards"))
    assert headcount("release", "out", cwd=postcards).returncode == 0
    assert (postcards / "out/exercises/p1_harbour.md").is_file()
    assert not (postcards / "out" / "keys" / "p1_harbour").exists()
    run = headcount("check", "p1", cwd=postcards / "out")
    assert (run.returncode, run.stderr) == (2, "p1_harbour: can only be marked where the course is graded.\n")


def test_stubs_are_cut_anew(kitchen: Path, headcount: Run) -> None:
    """An author's own try in exercises/ does not reach the class."""
    (kitchen / "exercises" / f"{K1}.py").write_text("def scale_recipe(amounts, w, g):\n    return amounts * g / w\n")
    headcount("release", "out", cwd=kitchen)
    assert "is not written yet" in (kitchen / "out" / "exercises" / f"{K1}.py").read_text()


def test_a_learner_at_home(handout: Path, headcount: Run) -> None:
    """Right and wrong answers hear what they hear in the course; the course is not there any more."""
    assert "0 of 2 exercises solved" in headcount(cwd=handout).stdout
    stub = handout / "exercises" / f"{K1}.py"
    assert "is not written yet" in headcount("check", cwd=handout).stdout
    stub.write_text("def scale_recipe(amounts, written_for, guests):\n    return amounts * guests\n")
    wrong = json.loads(headcount("check", "k1", "--json", cwd=handout).stdout)
    assert (wrong["misconceptions"], wrong["family"]) == (["ratio-forgotten"], "ratio")
    stub.write_text("def scale_recipe(amounts, have, want):\n    assert have\n    return amounts * want / have\n")
    assert "The 3 shown checks passed; grading for a class asks more." in headcount("check", "k1", cwd=handout).stdout


def test_an_exercise_without_shown_probes(handout: Path, headcount: Run) -> None:
    """What can only be checked by the grader says so in one line."""
    run = headcount("check", "k2", cwd=handout)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"{K2}: can only be checked where the course is graded.\n"


@pytest.mark.parametrize("arguments", [("verify",), ("release", "again"), ("grade", "class", "--out", "marks")])
def test_what_only_the_maker_can_do(handout: Path, headcount: Run, arguments: tuple[str, ...]) -> None:
    """Grading and authoring need the course itself, and say so."""
    shutil.copytree(handout / "exercises", handout / "class" / "ada")
    run = headcount(*arguments, cwd=handout)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "This is a handout, without solutions and hidden checks: use the course it is from.\n"


def test_what_stays_with_the_instructor(handout: Path, headcount: Run) -> None:
    """Learners are told where the model answer is, and that a stub has to be copied; their attempt is left alone."""
    assert headcount("reveal", "k1", "--yes", cwd=handout).stdout.startswith("Your instructor keeps the solutions")
    path = handout / "exercises" / "k1_scale_recipe.py"
    path.write_text("mine")
    run = headcount("reset", "k1", cwd=handout)
    assert (run.returncode, run.stdout, path.read_text()) == (2, "", "mine")
    assert "copy it from where your course came from" in run.stderr


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda data: b"", "is damaged"),
        (lambda data: data[: len(data) // 2], "is damaged"),
        (lambda data: b"no key", "is damaged"),
        (lambda data: data[:-1] + b"!", "is damaged"),
        (lambda data: packed(unpack(data)[:-9]), "is damaged"),
        (lambda data: packed(unpack(data).replace(b"formatI\1", b"formatI\2")), "another version"),
        (None, "is missing"),
    ],
)
def test_a_key_that_is_not_whole(
    handout: Path, headcount: Run, damage: Callable[[bytes], bytes] | None, says: str
) -> None:
    """A download that broke off is told in one line."""
    path = handout / "keys" / K1 / "key"
    if damage:
        path.write_bytes(damage(path.read_bytes()))
    else:
        path.unlink()
    run = headcount("check", "k1", cwd=handout)
    assert (run.returncode, run.stdout) == (2, "")
    assert f"keys/{K1}/key: " in run.stderr
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_a_taken_folder(kitchen: Path, headcount: Run) -> None:
    """Nothing is written over, and no earlier release's file can stay in a newer one."""
    (kitchen / "out").mkdir()
    (kitchen / "out" / "note.txt").write_text("mine")
    for out in ("out", "course.yaml", "course.yaml/out"):
        run = headcount("release", out, cwd=kitchen)
        assert (run.returncode, run.stdout) == (2, "")
        assert len(run.stderr.splitlines()) == 1
    assert files(kitchen / "out") == ["note.txt"]


def test_a_course_that_would_give_itself_away(kitchen: Path, headcount: Run) -> None:
    """A line of a model answer in what would be handed out stops the release, and nothing is left of it."""
    answer = "return amounts * guests / written_for"
    edit(kitchen / "solutions" / K2 / "driver.py", "def drive", f"# not like this: {answer}\ndef drive")
    run = headcount("release", "out", cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"keys/{K2}/driver.py: would hold `{answer}`, a line of the model answer of {K1}\n"
    assert not [path.name for path in kitchen.iterdir() if "out" in path.name]


# What follows releases the real course once.


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real course, released."""
    out = tmp_path_factory.mktemp("released") / "handout"
    command = [sys.executable, "-m", "autograder", "release", str(out)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return out


@pytest.fixture(scope="module")
def engine(released: Path) -> Path:
    """The engine as pip installs it from the handout, without any index."""
    (wheel,) = released.glob("*.whl")
    target = released.parent / "engine"
    options = ["--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(wheel)], check=True)
    return target


@pytest.fixture
def check_at_home(released: Path, engine: Path, tmp_path: Path) -> Check:
    """Check a source in a copy of the handout: a fresh process with its own engine alone and a cache of its own."""
    home = tmp_path / "home"
    shutil.copytree(released, home / "handout")
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(engine), "XDG_CACHE_HOME": str(home / "cache")}

    def check(exercise: str, source: str) -> dict[str, Any]:
        (home / "handout" / "exercises" / f"{exercise}.py").write_text(source)
        command = [sys.executable, "-m", "autograder", "check", exercise, "--json"]
        run = subprocess.run(
            command, cwd=home / "handout", env=variables, capture_output=True, text=True, check=False
        )  # fmt: skip
        assert run.stdout, run.stderr
        return dict(json.loads(run.stdout))

    return check


def code(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a Python file that are neither comments nor part of a docstring."""
    text = path.read_text("utf-8")
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            told.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    for number, line in enumerate(text.splitlines(), start=1):
        if number not in told:
            yield number, line.partition("  #")[0].strip()


def hidden_lines(path: Path) -> set[int]:
    """The line numbers of hidden() in a probes.py."""
    found = (node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))
    (node,) = (each for each in found if each.name == "hidden")
    return set(range(node.lineno, (node.end_lineno or 0) + 1))


@pytest.mark.slow
def test_nothing_of_the_solutions_is_in_it(released: Path) -> None:
    """No telling line of a model answer, another right answer, a misconception or hidden() can be found in any file.

    Drivers, and what shown probes measure with, are handed out on purpose; what stubs, hints and the sentences of
    misconceptions tell is no secret.
    """
    handed = {path: read(path) for path in released.rglob("*") if path.is_file()}
    open_lines = {path.read_text("utf-8") for path in (released / "exercises").iterdir()}
    open_lines |= {path.read_text("utf-8") for path in (ROOT / "solutions").glob("*/driver.py")}
    course = load_course(ROOT)
    for exercise in course.exercises:
        open_lines.update(exercise.hints)
        if exercise.kind == "code":
            open_lines.update(wrong.says for wrong in content.misconceptions(course, exercise))
    secret: set[str] = set()
    for path in (ROOT / "solutions").glob("*/probes.py"):
        hidden = hidden_lines(path)
        open_lines.update(line for number, line in code(path) if number not in hidden)
        secret |= {line for number, line in code(path) if number in hidden}
    for path in (ROOT / "solutions").rglob("*.py"):
        if path.name not in ("probes.py", "driver.py"):
            secret |= {line for _, line in code(path)}
    telling = {line for line in secret if len(line) >= 16 and not any(line in text for text in open_lines)}
    assert len(telling) > 1000
    assert [(path.name, line) for path, data in handed.items() for line in telling if line.encode() in data] == []


@pytest.mark.slow
def test_no_hidden_probe_is_in_it(released: Path) -> None:
    """Keys hold the shown probes that need no grader; the names of the others appear nowhere."""
    course = load_course(ROOT)
    for exercise in course.exercises:
        if exercise.kind == "code":
            probes = content.probe_set(course, exercise, secret=b"any").probes
            key = read(released / "keys" / exercise.id / "key")
            for probe in probes:
                name = b"probeS" + len(probe.name).to_bytes(4, "little") + probe.name.encode()
                assert (name in key) is (probe.shown and not probe.callbacks), probe.name


@pytest.mark.slow
def test_the_engine_of_a_handout(engine: Path) -> None:
    """What pip installed from it is the engine that made it, command and all."""
    command = [sys.executable, engine / "bin" / "headcount", "--version"]
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(engine)}
    run = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert run.stdout == f"headcount, version {__version__}\n"
    assert (engine / "autograder" / "cli.py").read_bytes() == (ROOT / "autograder" / "cli.py").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    "exercise",
    [
        "a2_attention_weights",
        "a3_two_jobs_by_hand",
        "b2_split_heads",
        "c2_multi_head_attention",
        "f2_who_meets_whom",
    ],
)
def test_the_same_verdict_as_in_the_course(check_at_home: Check, headcount: Run, tmp_path: Path, exercise: str) -> None:
    """NumPy, torch, drivers and measures: handout and course say the same of a right and of a wrong answer."""
    course = load_course(ROOT)
    entry = course.exercise(exercise)
    sources = [content.solution_source(course, entry), content.misconceptions(course, entry)[0].source]
    for source, right in zip(sources, (True, False), strict=True):
        path = tmp_path / f"{exercise}.py"
        path.write_text(source)
        at_home = check_at_home(exercise, source)
        in_course = json.loads(headcount("check", path, "--json").stdout)
        assert (at_home["verdict"] == "OK") is right
        for name in ("points", "verdict", "misconceptions", "family", "checks"):
            assert at_home[name] == in_course[name], name
