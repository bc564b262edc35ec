"""Reading wrong answers from text: what becomes of them, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from autograder.course.content import misconceptions
from autograder.course.errors import ContentError
from autograder.course.model import Course

SOLUTION = "import math\n\n\ndef mask(T):\n    ### BEGIN SOLUTION\n    return T\n    ### END SOLUTION\n"

WRONG = '''\
"""Wrong masks."""

from __future__ import annotations

import functools

from autograder.course import misconception

_right = mask


def double(x):
    return 2 * x


@misconception("mask-inverted", same_as=("mask-missing",))
@functools.cache
def mask(T):
    """You hid
    the past."""
    return -_right(T)


@misconception("mask-missing", same_as=("mask-inverted",))
def mask(T):
    """Nothing is hidden."""
    return double(T)


@misconception("mask-missing")
class mask:
    """Nothing is hidden either."""
'''


def write(course: Course, text: str) -> Path:
    """Put the model answer and this misconceptions.py into the folder of a1_mask."""
    folder = course.root / "solutions" / "a1_mask"
    folder.mkdir(parents=True)
    (folder / "solution.py").write_text(SOLUTION)
    (folder / "misconceptions.py").write_text(text)
    return folder


def refused(course: Course, text: str) -> tuple[str, ...]:
    """The problems of this misconceptions.py, without the path they start with."""
    write(course, text)
    with pytest.raises(ContentError) as caught:
        misconceptions(course, course.exercise("a1_mask"))
    return tuple(line.removeprefix("solutions/a1_mask/misconceptions.py:") for line in caught.value.problems)


def test_each_wrong_answer_is_a_whole_submission(course: Course) -> None:
    """A wrong answer follows the model answer and the file's helpers, and runs in their place."""
    write(course, WRONG)
    inverted, missing, _ = misconceptions(course, course.exercise("a1_mask"))
    scope: dict[str, Any] = {}
    exec(inverted.source, scope)
    assert scope["mask"](3) == -3
    assert scope["mask"].cache_info().misses == 1
    exec(missing.source, scope)
    assert scope["mask"](3) == 6
    assert "autograder" not in inverted.source
    assert "__future__" not in inverted.source
    assert inverted.source.startswith(SOLUTION)


def test_what_is_told_about_a_wrong_answer(course: Course) -> None:
    """Slug, family, sentence on one line, entry and line are taken from the text."""
    write(course, WRONG)
    found = misconceptions(course, course.exercise("a1_mask"))
    assert [(each.slug, each.family, each.says, each.entry, each.line) for each in found] == [
        ("mask-inverted", "mask", "You hid the past.", "mask", 18),
        ("mask-missing", "mask", "Nothing is hidden.", "mask", 25),
        ("mask-missing", "mask", "Nothing is hidden either.", "mask", 31),
    ]


def test_partners_belong_to_the_slug(course: Course) -> None:
    """What one function declares in same_as holds for every function of its slug."""
    write(course, WRONG)
    found = misconceptions(course, course.exercise("a1_mask"))
    assert [each.same_as for each in found] == [("mask-missing",), ("mask-inverted",), ("mask-inverted",)]


def test_nothing_is_executed(course: Course) -> None:
    """Reading the file runs none of it."""
    write(course, 'raise SystemExit\n\n\n@misconception("mask-inverted")\ndef mask(T):\n    """x"""\n')
    assert len(misconceptions(course, course.exercise("a1_mask"))) == 1


def test_no_file_no_misconceptions(course: Course) -> None:
    """A quiz, for one, has no wrong answers as code."""
    assert misconceptions(course, course.exercise("b1_look")) == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('@misconception("mask-inverted")\ndef mask(T):\n    return 1\n',
         "2: 'mask-inverted' has no docstring, so its author would hear nothing"),
        ('@misconception("mask-invertd")\ndef mask(T):\n    """x"""\n',
         "2: no family in course.yaml lists 'mask-invertd'. Did you mean 'mask-inverted'?"),
        ('@misconception("mask-inverted")\ndef masks(T):\n    """x"""\n',
         "2: 'mask-inverted' stands in for 'masks', which a1_mask does not define. Did you mean 'mask'?"),
        ('@misconception("mask-inverted", same_as=("mask-missng",))\ndef mask(T):\n    """x"""\n\n\n'
         '@misconception("mask-missing")\ndef mask(T):\n    """x"""\n',
         "2: 'mask-inverted' is same_as 'mask-missng', which this file does not have. Did you mean 'mask-missing'?"),
        ('@misconception("mask-inverted", same_as=("mask-missing",))\ndef mask(T):\n    """x"""\n\n\n'
         '@misconception("mask-missing")\ndef mask(T):\n    """x"""\n',
         "2: 'mask-inverted' is same_as 'mask-missing', but not the other way round; write it on both"),
        ('@misconception("mask-inverted", same_as=("mask-inverted",))\ndef mask(T):\n    """x"""\n',
         "2: 'mask-inverted' names itself in same_as"),
        ('@misconception("mask-inverted")\n@misconception("mask-missing")\ndef mask(T):\n    """x"""\n',
         "3: mask has two marks; write the function once for each slug"),
        ('def mask(T):\n    """x"""\n', "1: 'mask' has no @misconception, so it would replace the right one"),
        ("x = = 1\n", "1: is not valid Python: invalid syntax"),
    ],
)  # fmt: skip
def test_what_breaks_the_contract(course: Course, text: str, problem: str) -> None:
    """Each breach is one line with file and line number."""
    assert refused(course, text) == (problem,)


@pytest.mark.parametrize(
    "mark",
    ["misconception", "misconception()", "misconception(SLUG)", 'misconception("a", same_as=("b"))',
     'misconception("a", other=())', "misconception(*SLUGS)", "misconception(3)", 'misconception("")'],
)  # fmt: skip
def test_a_mark_must_be_written_out(course: Course, mark: str) -> None:
    """A mark that only running the file could read is refused with the form that works."""
    assert refused(course, f'@{mark}\ndef mask(T):\n    """x"""\n') == (
        '2: mask: write the mark as @misconception("slug", same_as=("other",), proves="family")',
    )


def test_every_problem_at_once(course: Course) -> None:
    """All breaches of a file are listed, in its order."""
    text = '@misconception("nope")\ndef mask(T):\n    return 1\n\n\n@misconception\ndef mask(T):\n    """x"""\n'
    assert [problem.partition(":")[0] for problem in refused(course, text)] == ["2", "2", "7"]
