"""What has to agree inside a course.yaml: each contradiction is reported once, at its place."""

from collections.abc import Callable

import pytest

Problems = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("needs: [a1_mask]", "needs: [a1_msk]",
         ["30:13: exercise 'b1_look' needs 'a1_msk', which does not exist. Did you mean 'a1_mask'?"]),
        ("needs: [a1_mask]", "needs: [zzz]", ["30:13: exercise 'b1_look' needs 'zzz', which does not exist."]),
        ("needs: [a1_mask]", "needs: [b1_look]",
         ["30:12: no exercise of this circle can come first: 'b1_look' needs 'b1_look'"]),
        ("    lesson: Write", "    needs: [b1_look]\n    lesson: Write",
         ["19:12: no exercise of this circle can come first: 'a1_mask' needs 'b1_look' needs 'a1_mask'"]),
        ("id: b1_look", "id: b1_Look",
         ["24:9: the id 'b1_Look' must be a letter, a number and a name in small letters, as in 'k1_scale_recipe'"]),
        ("stage: B", "stage: b", ["26:12: exercise 'b1_look' is in stage 'b', which does not exist; there are A, B"]),
        ("    points: 3", "    points: 4", ["17:13: exercise 'a1_mask' has 4 points, but its checks add up to 3"]),
        ("    points: 2.5", "    points: 0", ["28:13: exercise 'b1_look' has 0 points, but its checks add up to 2.5",
          "28:13: exercise 'b1_look': 'points' must be more than 0"]),
        ("    minutes: 4", "    minutes: -1", ["29:14: exercise 'b1_look': 'minutes' must be more than 0"]),
        ("    minutes: 4", f"    minutes: {'9' * 400}", ["29:14: exercise 'b1_look': 'minutes' is far too large"]),
        ("    minutes: 4", "    minutes: 4\n    limits: {wall_seconds: 0}",
         ["30:28: exercise 'b1_look': 'wall_seconds' in 'limits' must be more than 0"]),
        ("title: Tiny", "limits: {memory_mb: -5}\ntitle: Tiny",
         ["1:21: the course: 'memory_mb' in 'limits' must be more than 0"]),
        ("{points: 2, says: the mask is right}", "{points: -2, says: the mask is right}",
         ["17:13: exercise 'a1_mask' has 3 points, but its checks add up to -1",
          "21:24: check 'values' of exercise 'a1_mask': 'points' cannot be less than 0"]),
        ("needs: [values]", "needs: [value]",
         ["22:59: check 'corners' of exercise 'a1_mask' needs check 'value', which does not exist."
          " Did you mean 'values'?"]),
        ("the mask is right}", "the mask is right, needs: [corners]}",
         ["21:59: exercise 'a1_mask': no check of this circle can come first:"
          " 'values' needs 'corners' needs 'values'"]),
        ("[where, the idea, the line]", "[where, the idea]",
         ["23:12: exercise 'a1_mask' has 2 hints; exactly three are needed: where to look, the idea,"
          " the shape of the line"]),
        ("    hints: [where, the idea, the line]\n", "",
         ["11:5: exercise 'a1_mask' has 0 hints; exactly three are needed: where to look, the idea,"
          " the shape of the line"]),
        ("[where, the idea, the line]", "[where, ' ', the line]",
         ["23:20: exercise 'a1_mask': item 2 of 'hints' is empty"]),
        ("    library: numpy\n", "", ["11:5: exercise 'a1_mask' needs 'library', as every code exercise does"]),
        ("    defines: [mask]", "    defines: []",
         ["16:14: exercise 'a1_mask' needs 'defines', as every code exercise does"]),
        ("    defines: [mask]", "    defines: [causal-mask]",
         ["16:15: exercise 'a1_mask' defines 'causal-mask', which cannot be a name in Python"]),
        ("[split-view, split-order]", "[split-view, mask-missing]",
         ["9:72: 'mask-missing' is in family 'layout' and in family 'mask'; every slug belongs to one family"]),
        ("[split-view, split-order]", "[split-view, split-view]",
         ["9:72: 'split-view' is in family 'layout' twice; every slug belongs to one family"]),
        ("lesson: Read the split.", "lesson: ''", ["32:13: exercise 'b1_look': 'lesson' is empty"]),
        ("B: Split", "B: ''", ["4:6: stage 'B': the text is empty"]),
    ],
)  # fmt: skip
def test_one_contradiction(problems: Problems, old: str, new: str, expected: list[str]) -> None:
    """Each contradiction is one line that names the exercise, what does not fit, and where."""
    assert problems(old, new) == [f"course.yaml:{problem}" for problem in expected]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("    checks: {look: {points: 2.5, says: the split is read}}\n", "",
         ["24:5: exercise 'b1_look' needs 'checks', as every quiz exercise does"]),
        ("[look, the thought, the row]", "[look]",
         ["34:12: exercise 'b1_look' has 1 hints; exactly three are needed:"
          " where to look, the idea, the shape of the line"]),
        ("    minutes: 4", "    minutes: 4\n    library: numpy",
         ["30:5: exercise 'b1_look' is a quiz, which has no 'library'; leave it out"]),
        ("says: the split is read}", "says: the split is read, needs: [look]}",
         ["33:59: question 'look' of exercise 'b1_look' counts alone; leave out 'needs'",
          "no check of this circle"]),
        ("{look:", "{2 looks:",
         ["33:14: question '2 looks' of exercise 'b1_look' cannot be the name of a function in quiz.py"]),
    ],
    ids=["no questions", "one hint", "a library", "a question that needs another", "no name of a function"],
)  # fmt: skip
def test_a_quiz(problems: Problems, before: str, after: str, expected: list[str]) -> None:
    """A quiz has questions and hints, and nothing that only code has."""
    found = problems(before, after)
    assert len(found) == len(expected)
    assert all(any(said in problem for problem in found) for said in expected), found


def test_repeated_id(problems: Problems) -> None:
    """The second exercise of the same id is reported, with the line of the first."""
    found = problems("id: b1_look", "id: a1_mask", "    needs: [a1_mask]\n", "")
    assert found == ["course.yaml:24:9: the id 'a1_mask' is used twice; the first is on line 11"]


def test_two_circles(problems: Problems) -> None:
    """Circles that do not touch are all found in one pass."""
    more = "".join(
        f"  - {{id: {id}, title: t, stage: A, kind: text, points: 1, minutes: 1, lesson: t, needs: [{need}]}}\n"
        for id, need in (("c1_x", "c3_x"), ("c2_x", "c1_x"), ("c3_x", "c2_x"), ("d1_x", "d1_x"))
    )
    found = problems("exercises:\n", "exercises:\n" + more)
    assert [circle for problem in found if (circle := problem.partition("first: ")[2])] == [
        "'c1_x' needs 'c3_x' needs 'c2_x' needs 'c1_x'",
        "'d1_x' needs 'd1_x'",
    ]


def test_a_need_of_a_broken_exercise_exists(problems: Problems) -> None:
    """An exercise with a mistake of its own still counts as existing for those that need it."""
    assert problems("    minutes: 5", "    minutes: x") == [
        "course.yaml:18:14: exercise 'a1_mask': 'minutes' must be a whole number, not the text 'x'"
    ]
