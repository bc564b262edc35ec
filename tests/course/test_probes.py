"""Drawing probes: the same every time, hidden only with the secret, and every breach of the contract named."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from autograder.course.content import ProbeSet, probe_set
from autograder.course.errors import ContentError
from autograder.course.model import Course
from autograder.records import Probe

PROBES = """\
from __future__ import annotations

from dataclasses import dataclass

from autograder.records import Probe

AXES = {"result": ["query", "key"]}


@dataclass
class Size:
    T: int


def measure(inputs, parts):
    return {"size": Size(inputs["x"].shape[0])}


def shown(rng):
    yield Probe(name="small", check="values", why="by eye", inputs={"x": rng.standard_normal(3)}, measure=measure)


def hidden(rng):
    yield Probe(name="one", check="corners", why="T=1", inputs={"x": rng.standard_normal(1)}, scattered=("x",))
"""


def draw(course: Course, text: str, secret: bytes | None = b"secret") -> ProbeSet:
    """The probes of a1_mask with this probes.py."""
    folder = course.root / "solutions" / "a1_mask"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "probes.py").write_text(text)
    return probe_set(course, course.exercise("a1_mask"), secret=secret)


def values(probe: Probe) -> list[float]:
    """The numbers of input x."""
    return list(probe.inputs["x"])


def test_without_a_secret_only_shown_probes(course: Course) -> None:
    """A learner's machine draws the shown probes and never calls hidden()."""
    probes, axes = draw(course, PROBES.replace("def hidden(rng):", "def hidden(rng):\n    1 / 0"), None)
    assert [(probe.name, probe.shown) for probe in probes] == [("small", True)]
    assert axes == {"result": ("query", "key")}


def test_with_a_secret_both_kinds(course: Course) -> None:
    """A grader draws both, and each probe knows which kind it is."""
    probes, _ = draw(course, PROBES)
    assert [(probe.name, probe.shown) for probe in probes] == [("small", True), ("one", False)]


def test_the_same_numbers_every_time(course: Course) -> None:
    """Shown numbers never change; hidden ones follow the secret."""
    (small, one), _ = draw(course, PROBES, b"secret")
    (small_again, one_again), _ = draw(course, PROBES, b"secret")
    (small_other, one_other), _ = draw(course, PROBES, b"other")
    assert values(small) == values(small_again) == values(small_other)
    assert values(one) == values(one_again) != values(one_other)


def test_exercises_draw_different_numbers(course: Course) -> None:
    """The id of the exercise is part of what the numbers are drawn from."""
    (small,), _ = draw(course, PROBES, None)
    (course.root / "solutions" / "a1_mask").rename(course.root / "solutions" / "a2_mask")
    (other,), _ = probe_set(course, replace(course.exercise("a1_mask"), id="a2_mask"), secret=None)
    assert values(small) != values(other)


def test_measure_still_works_after_loading(course: Course) -> None:
    """A probe's measure keeps what it needs although its module is gone."""
    (small, *_), _ = draw(course, PROBES)
    assert small.measure is not None
    assert small.measure(small.inputs, {})["size"].T == 3


def test_nothing_stays_behind(course: Course) -> None:
    """Loading leaves no module behind and writes no bytecode, also when it fails."""
    np.zeros(1)
    before = set(sys.modules)
    draw(course, PROBES)
    with pytest.raises(ContentError):
        draw(course, "1 / 0\n")
    assert {name for name in set(sys.modules) - before if "probes" in name} == set()
    assert [path.name for path in (course.root / "solutions" / "a1_mask").iterdir()] == ["probes.py"]


def test_no_axes(course: Course) -> None:
    """AXES may be left out."""
    assert draw(course, PROBES.replace("AXES =", "OTHER =")).axes == {}


def test_a_driver_gives_call_its_own_meaning(course: Course) -> None:
    """With a driver, a probe may call what the exercise does not define."""
    text = PROBES.replace('name="small"', 'name="small", call="twice"')
    (course.root / "solutions" / "a1_mask").mkdir(parents=True)
    (course.root / "solutions" / "a1_mask" / "driver.py").write_text("")
    assert draw(course, text).probes[0].call == "twice"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('name="one"', 'name="small"', ": 2 probes are called 'small'"),
        ('check="values"', 'check="value"',
         ": probe 'small' counts for check 'value', which does not exist. Did you mean 'values'?\n"
         "solutions/a1_mask/probes.py: no probe counts for check 'values'"),
        ('check="values"', 'check="corners"', ": no probe counts for check 'values'"),
        ('why="T=1"', 'why=" "', ": probe 'one' does not say why it is there"),
        ('scattered=("x",)', 'scattered=("y",)', ": probe 'one' scatters 'y', which is not one of its inputs."),
        ('name="one"', 'name="one", call="masks"',
         ": probe 'one' calls 'masks', which the exercise does not define. Did you mean 'mask'?"),
        ('["query", "key"]', '"query"',
         ': AXES must map each part to the names of its axes, as in {"result": ("batch", "token")}'),
        ("def hidden(", "def hiden(", ": has no function hidden(rng)"),
        ("def shown(rng):", "def shown():",
         ": shown() raised TypeError: shown() takes 0 positional arguments but 1 was given"),
        ("def shown(rng):", "def shown(rng):\n    return 1\n\n\ndef unused(rng):",
         ": shown() raised TypeError: 'int' object is not iterable"),
        ("def hidden(rng):", "def hidden(rng):\n    yield None", ": hidden() must yield Probe objects, not NoneType"),
        ("def hidden(rng):", "def hidden(rng):\n    raise SystemExit", ":24: hidden() raised SystemExit"),
        ("def hidden(rng):", "def hidden(rng):\n    rng.normal(size='two\\nlines')",
         ":24: hidden() raised TypeError: 'str' object cannot be interpreted as an integer"),
        ('why="by eye", ', "",
         ":20: shown() raised TypeError: Probe.__init__() missing 1 required keyword-only argument: 'why'"),
        ("AXES = ", "1 / 0\nAXES = ", ":7: the file raised ZeroDivisionError: division by zero"),
        ("AXES = ", "raise ValueError('two\\nlines')\nAXES = ", ":7: the file raised ValueError: two lines"),
        ("def shown(rng):", "def shown(rng:", ":19: is not valid Python: '(' was never closed"),
        ("from autograder.records", "from autograder.nothing",
         ":5: the file raised ModuleNotFoundError: No module named 'autograder.nothing'"),
    ],
)  # fmt: skip
def test_what_breaks_the_contract(course: Course, old: str, new: str, problem: str) -> None:
    """Each breach is one line that names the file, and the line where it is known."""
    assert old in PROBES
    with pytest.raises(ContentError) as caught:
        draw(course, PROBES.replace(old, new))
    assert str(caught.value) == f"solutions/a1_mask/probes.py{problem}"


def test_missing_file(course: Course) -> None:
    """An exercise without probes.py is named."""
    with pytest.raises(ContentError) as caught:
        probe_set(course, course.exercise("a1_mask"), secret=None)
    assert str(caught.value) == "solutions/a1_mask/probes.py: there is no such file"


def test_every_problem_at_once(course: Course) -> None:
    """All breaches are listed together."""
    with pytest.raises(ContentError) as caught:
        draw(course, PROBES.replace('why="by eye"', 'why=""').replace('check="corners"', 'check="values"'))
    assert caught.value.problems == (
        "solutions/a1_mask/probes.py: probe 'small' does not say why it is there",
        "solutions/a1_mask/probes.py: no probe counts for check 'corners'",
    )
