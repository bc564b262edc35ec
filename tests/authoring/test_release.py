"""`headcount release`: what a class gets, and what it must not get."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from autograder import __version__
from autograder.course import content
from autograder.course.load import load_course
from autograder.handout import FORMAT, unpack
from tests.conftest import ROOT, Run
from tests.integrations.test_pytest_plugin import run_pytest
from tests.teach.test_grade import RIGHT
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
        "CHANGES.md", "README.md", "course.yaml", f"exercises/{K1}.py", f"exercises/{K2}.py",
        f"headcount-{__version__}-py3-none-any.whl", f"keys/{K1}/key", f"keys/{K2}/driver.py", f"keys/{K2}/key",
        "pytest.ini", "requirements.txt",
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


_FORM = b"formatI%c"


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda data: b"", "is damaged"),
        (lambda data: data[: len(data) // 2], "is damaged"),
        (lambda data: b"no key", "is damaged"),
        (lambda data: data[:-1] + b"!", "is damaged"),
        (lambda data: packed(unpack(data)[:-9]), "is damaged"),
        (lambda data: packed(unpack(data).replace(_FORM % FORMAT, _FORM % (FORMAT + 1))), "another version"),
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


def told(handout: Path) -> str:
    """What CHANGES.md says last, without the date."""
    return (handout / "CHANGES.md").read_text().split("\n## ")[1].partition("\n")[2].strip()


def test_what_changed(kitchen: Path, headcount: Run) -> None:
    """Each handout says in a learner's words what is different from the one before, and keeps what that one said."""
    assert headcount("release", "one", cwd=kitchen).returncode == 0
    assert told(kitchen / "one") == "- The first handout."
    assert headcount("release", "two", "--since", "one", cwd=kitchen).returncode == 0
    assert told(kitchen / "two") == "- Nothing that you would notice."
    edit(kitchen / "course.yaml", "points: 3\n", "points: 4\n    due: 2026-03-02T18:00Z\n")
    edit(kitchen / "course.yaml", "amounts: {points: 1", "amounts: {points: 2")
    headcount("release", "three", "--since", "two", cwd=kitchen)
    assert told(kitchen / "three") == (
        f"- **{K1}**: 3 points became 4; the check `amounts` is worth 2 instead of 1; it is due 2026-03-02T18:00Z."
    )
    assert "The first handout." in (kitchen / "three" / "CHANGES.md").read_text()
    text = (kitchen / "course.yaml").read_text()
    (kitchen / "course.yaml").write_text(text[: text.index(f"  - id: {K2}")])
    edit(kitchen / "solutions" / K1 / "probes.py", '"guests": 10', '"guests": 12')
    edit(kitchen / "solutions" / K1 / "solution.py", '"""', '"""Cook. ')
    headcount("release", "four", "--since", "three", cwd=kitchen)
    assert told(kitchen / "four").splitlines() == [
        f"- **{K2}** is gone.",
        f"- **{K1}**: `exercises/{K1}.py` has changed; keep your answer when you copy it; "
        "its shown checks ask something else.",
    ]
    edit(kitchen / "solutions" / K1 / "probes.py", "rng.uniform", "1 + rng.uniform")
    headcount("release", "five", "--since", "four", cwd=kitchen)
    assert told(kitchen / "five") == "- Nothing that you would notice."  # hidden checks are nobody's business


@pytest.mark.parametrize("since", [".", "nowhere"])
def test_changes_since_what_is_no_handout(kitchen: Path, headcount: Run, since: str) -> None:
    """One clear line, and nothing is built."""
    run = headcount("release", "out", "--since", since, cwd=kitchen)
    assert (run.returncode, run.stdout, (kitchen / "out").exists()) == (2, "", False)
    assert len(run.stderr.splitlines()) == 1


def test_lessons(kitchen: Path, headcount: Run) -> None:
    """The pages for learners and what they show are handed out; pages for authors, and what lies elsewhere, are not."""
    lessons = kitchen / "docs" / "lessons"
    (lessons / "pictures").mkdir(parents=True)
    (lessons / "pictures" / "bowl.svg").write_text("<svg/>")
    (lessons / "pictures" / "draft.svg").write_text("<svg/>")
    (lessons / "k_cooking.md").write_text(
        "![A bowl](pictures/bowl.svg) [all](../../course.yaml) [more](https://example.org/x) [k](#k)"
    )
    (lessons / "README.md").write_text("for authors")
    assert headcount("release", "out", cwd=kitchen).returncode == 0
    assert files(kitchen / "out" / "lessons") == ["k_cooking.md", "pictures/bowl.svg"]
    answer = "return amounts * guests / written_for"
    (lessons / "k_cooking.md").write_text(f"    {answer}\n")
    run = headcount("release", "again", cwd=kitchen)
    assert run.returncode == 2
    assert run.stderr == f"lessons/k_cooking.md: would hold `{answer}`, a line of the model answer of {K1}\n"


def test_pytest_at_home(handout: Path) -> None:
    """pytest in a handout runs the same checks; what only the grader can check is skipped, or says so."""
    (handout / "exercises" / f"{K1}.py").write_text(RIGHT)
    run = run_pytest(cwd=handout)
    assert "3 passed" in run.stdout
    assert f"{K2}: can only be checked where the course is graded." in run.stdout


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
    """A fresh environment in which headcount comes from the handout's wheel, installed without any index.

    What headcount itself needs is too large to install for a test: a .pth file lends it from the environment that runs
    this one. Such files are not followed further, so an editable headcount beside it is not found.
    """
    (wheel,) = released.glob("*.whl")
    home = released.parent / "environment"
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    options = ["--quiet", "--no-index", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", *options, wheel], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    lent = {Path(str(find_spec(name).origin)).parents[1] for name in ("click", "numpy", "pydantic", "torch")}  # type: ignore[union-attr]
    (packages / "lent.pth").write_text("".join(f"{folder}\n" for folder in sorted(lent)))
    return home / "bin" / "headcount"


@pytest.fixture
def check_at_home(released: Path, engine: Path, tmp_path: Path) -> Check:
    """Check a source in a copy of the handout, with the command installed from it and a cache of its own."""
    home = tmp_path / "home"
    shutil.copytree(released, home / "handout")
    variables = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(home / "cache"), "HEADCOUNT_BACKGROUND": "0"}

    def check(exercise: str, source: str) -> dict[str, Any]:
        (home / "handout" / "exercises" / f"{exercise}.py").write_text(source)
        command = [engine, "check", exercise, "--json"]
        run = subprocess.run(
            command, cwd=home / "handout", env=variables, capture_output=True, text=True, check=False
        )  # fmt: skip
        assert run.stdout, run.stderr
        return dict(json.loads(run.stdout))

    return check


def code(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a Python file that do something: neither comments nor imports nor part of a docstring."""
    text = path.read_text("utf-8")
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            told.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    for number, line in enumerate(text.splitlines(), start=1):
        if number not in told and not line.startswith(("#", "import ", "from ")):
            yield number, line.partition("  #")[0].strip()


def hidden_lines(path: Path) -> set[int]:
    """The line numbers of hidden() in a probes.py."""
    found = (node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))
    (node,) = (each for each in found if each.name == "hidden")
    return set(range(node.lineno, (node.end_lineno or 0) + 1))


@pytest.mark.slow
def test_nothing_of_the_solutions_is_in_it(released: Path) -> None:
    """No telling line of a model answer, another right answer, a misconception or hidden() can be found in any file.

    Drivers, what shown probes measure with, and patterns look at answers and are handed out on purpose; what stubs,
    hints and the sentences of misconceptions tell is no secret.
    """
    written = re.compile(rb"[ -~]{16,}")  # of megabytes of numbers, what could be text at all
    handed = {path: b"\n".join(written.findall(read(path))) for path in released.rglob("*") if path.is_file()}
    open_lines = {path.read_text("utf-8") for path in (released / "exercises").iterdir() if path.is_file()}
    open_lines |= {path.read_text("utf-8") for path in (ROOT / "solutions").glob("*/driver.py")}
    open_lines |= {path.read_text("utf-8") for path in (ROOT / "solutions").glob("*/patterns.py")}
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
        if path.name not in ("probes.py", "driver.py", "patterns.py"):
            secret |= {line for _, line in code(path)}
    telling = {line for line in secret if len(line) >= 16 and line.isascii() and not any(line in t for t in open_lines)}
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
    """What pip installed from it is the engine that made it, command, pytest plugin and all."""
    run = subprocess.run([engine, "--version"], env={}, capture_output=True, text=True, check=False)
    assert run.stdout == f"headcount, version {__version__}\n"
    (installed,) = engine.parents[1].glob("lib/python*/site-packages/autograder")
    for name in ("cli.py", "integrations/gradescope_scripts/setup.sh"):
        assert (installed / name).read_bytes() == (ROOT / "autograder" / name).read_bytes()


#: A module in a style that the key does not know, with a step to be spoilt.
MODULE = """
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("uneven heads")
        self.n, self.e = n_heads, d_model // n_heads
        self.qkv, self.out = (nn.Linear(d_model, m * d_model, bias=False) for m in (3, 1))

    def forward(self, x):
        b, t, c = x.size()
        q, k, v = (u.view(b, t, self.n, self.e) for u in self.qkv(x).split(c, 2))
        scores = torch.einsum("bihe,bjhe->bhij", q, k) {scale}
        weights = scores.masked_fill(torch.ones(t, t).triu(1).bool(), float("-inf")).softmax(-1)
        y = torch.einsum("bhij,bjhe->{merge}", weights, v)
        return self.out(y.reshape(b, t, c))
"""
SPOILT = [
    (MODULE.format(scale="", merge="bhie"), "Two things at once"),
    (MODULE.format(scale="* 1.7 / self.e**0.5", merge="bihe"), "Undoing the output projection"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "exercise",
    [
        "a2_attention_weights",
        "a3_two_jobs_by_hand",
        "b2_split_heads",
        "f2_who_meets_whom",
    ],
)
def test_the_same_verdict_as_in_the_course(check_at_home: Check, headcount: Run, tmp_path: Path, exercise: str) -> None:
    """NumPy, torch, drivers and measures: handout and course say the same of a right and of a wrong answer."""
    course = load_course(ROOT)
    entry = course.exercise(exercise)
    sources = [content.solution_source(course, entry), content.misconceptions(course, entry)[0].source]
    for source, right in zip(sources, (True, False), strict=True):
        told = same_at_home(check_at_home, headcount, tmp_path / f"{exercise}.py", source)
        assert (told["verdict"] == "OK") is right


@pytest.mark.slow
@pytest.mark.parametrize(("source", "says"), SPOILT, ids=["two at once", "a pattern"])
def test_the_same_words_as_in_the_course(
    check_at_home: Check, headcount: Run, tmp_path: Path, source: str, says: str
) -> None:
    """What no single misconception explains is told in a handout as it is in the course."""
    told = same_at_home(check_at_home, headcount, tmp_path / "c2_multi_head_attention.py", source)
    assert says in told["message"]


def same_at_home(check_at_home: Check, headcount: Run, path: Path, source: str) -> dict[str, Any]:
    """What the handout says of a source, which has to be what the course says."""
    path.write_text(source)
    at_home = check_at_home(path.stem, source)
    in_course = json.loads(headcount("check", path, "--json").stdout)
    for name in ("points", "verdict", "misconceptions", "family", "checks", "message"):
        assert at_home[name] == in_course[name], name
    return at_home
