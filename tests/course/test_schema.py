"""The shape of course.yaml: every complaint names the place, the thing and what was expected, in plain words."""

from collections.abc import Callable

import pytest

Problems = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("title: Tiny course", "title: 3", "1:8: 'title' must be text, not the number 3; put it in quotes"),
        ("title: Tiny course", "title:", "1:1: 'title' must be text, not nothing"),
        ("title: Tiny course", "title: [x]", "1:8: 'title' must be text, not a list"),
        ("title: Tiny course", "title: true", "1:8: 'title' must be text, not true; put it in quotes"),
        ("title: Tiny course\n", "", "1:1: the course has no 'title'"),
        ("title: Tiny", "ready_made: flag\ntitle: Tiny",
         "1:13: 'ready_made' must be a mapping ('key: value' lines), not the text 'flag'"),
        ("title: Tiny", "ready_made:\ntitle: Tiny",
         "1:1: 'ready_made' must be a mapping ('key: value' lines), not nothing"),
        ("title: Tiny", "ready_made: {policy: flagged}\ntitle: Tiny",
         "1:22: 'policy' in 'ready_made' must be 'allow', 'flag' or 'forbid', not the text 'flagged'."
         " Did you mean 'flag'?"),
        ("title: Tiny", "ready_made: {name: [argmax]}\ntitle: Tiny",
         "1:14: the course has an unknown key 'name' in 'ready_made'. Did you mean 'names'?"),
        ("title: Tiny", "ready_made: {names: argmax}\ntitle: Tiny",
         "1:21: 'names' in 'ready_made' must be a list, not the text 'argmax'"),
        ("title: Tiny", "ready_made: {names: [argmax, 3]}\ntitle: Tiny",
         "1:30: item 2 of 'names' in 'ready_made' must be text, not the number 3; put it in quotes"),
        ("title: Tiny", "title:\n  Tiny: small",
         "2:3: 'title' must be text, not a mapping; text with ': ' in it needs quotes"),
        ("    kind: quiz", "    kind: quiz\n    ready_made: forbidden",
         "28:17: exercise 'b1_look': 'ready_made' must be 'allow', 'flag' or 'forbid', not the text 'forbidden'."
         " Did you mean 'forbid'?"),
        ("    kind: quiz", "    kind: quiz\n    ready_made: {policy: flag}",
         "28:17: exercise 'b1_look': 'ready_made' must be 'allow', 'flag' or 'forbid', not a mapping"),
        ("title: Tiny", "attempts: first\ntitle: Tiny",
         "1:11: 'attempts' must be 'last' or 'best', not the text 'first'"),
        ("title: Tiny", "attempts: bets\ntitle: Tiny",
         "1:11: 'attempts' must be 'last' or 'best', not the text 'bets'. Did you mean 'best'?"),
        ("title: Tiny", "attempts:\ntitle: Tiny", "1:1: 'attempts' must be 'last' or 'best', not nothing"),
        ("title: Tiny", "attempt: best\ntitle: Tiny",
         "1:1: the course has an unknown key 'attempt'. Did you mean 'attempts'?"),
        ("title: Tiny", "late: 2026-03-02T18:00Z\ntitle: Tiny",
         "1:7: 'late' must be a mapping ('key: value' lines), not the text '2026-03-02T18:00Z'"),
        ("title: Tiny", "late: {cap: 5}\ntitle: Tiny", "1:7: the course has no 'due' in 'late'"),
        ("title: Tiny", "late: {due: 2026}\ntitle: Tiny",
         "1:13: 'due' in 'late' must be text, not the number 2026; put it in quotes"),
        ("title: Tiny", "late: {due: 2026-03-02T18:00Z, grace_min: 5}\ntitle: Tiny",
         "1:32: the course has an unknown key 'grace_min' in 'late'. Did you mean 'grace_minutes'?"),
        ("title: Tiny", "late: {due: 2026-03-02T18:00Z, grace_minutes: 1.5}\ntitle: Tiny",
         "1:47: 'grace_minutes' in 'late' must be a whole number, not the number 1.5"),
        ("title: Tiny", "late: {due: 2026-03-02T18:00Z, penalty_per_day: 10%}\ntitle: Tiny",
         "1:49: 'penalty_per_day' in 'late' must be a number, not the text '10%'"),
        ("title: Tiny", "late: {due: 2026-03-02T18:00Z, cap: .nan}\ntitle: Tiny",
         "1:37: 'cap' in 'late' must be a finite number, not the number nan"),
        ("title: Tiny", "late: {due: 2026-03-02T18:00Z, extensions: [ada]}\ntitle: Tiny",
         "1:44: 'extensions' in 'late' must be a mapping ('key: value' lines), not a list"),
        ("title: Tiny", "late: {due: 2026-03-02T18:00Z, extensions: {ada: 7}}\ntitle: Tiny",
         "1:50: 'ada' in 'extensions' in 'late' must be text, not the number 7; put it in quotes"),
        ("title: Tiny", "late: {due: 2026-03-02T18:00Z, extensions: {ada: }}\ntitle: Tiny",
         "1:45: 'ada' in 'extensions' in 'late' must be text, not nothing"),
        ("title: Tiny", "late: {due: 2026-03-02T18:00Z, extensions: {1234: 2026-03-09T18:00Z}}\ntitle: Tiny",
         "1:45: the key '1234' must be text; put it in quotes"),
        ("    minutes: 4", "    minutes: 4\n    due: 2026",
         "30:10: exercise 'b1_look': 'due' must be text, not the number 2026; put it in quotes"),
        ("    minutes: 4", "    minutes: 4\n    late: 2026-03-02T18:00Z",
         "30:5: exercise 'b1_look' has an unknown key 'late'."),
        ("title: Tiny", "readymade: flag\ntitle: Tiny",
         "1:1: the course has an unknown key 'readymade'. Did you mean 'ready_made'?"),
        ("title: Tiny", "root: /\ntitle: Tiny", "1:1: the course has an unknown key 'root'."),
        ("title: Tiny", "limits: {memory: 5}\ntitle: Tiny",
         "1:10: the course has an unknown key 'memory' in 'limits'. Did you mean 'memory_mb'?"),
        ("title: Tiny", "limits: {memory_mb: 1.5}\ntitle: Tiny",
         "1:21: 'memory_mb' in 'limits' must be a whole number, not the number 1.5"),
        ("  B: Split", "  B: 2", "4:6: stage 'B': 'title' must be text, not the number 2; put it in quotes"),
        ("  B: Split", "  B: Split\n  1: x", "5:3: the key '1' must be text; put it in quotes"),
        ("  B: Split", "  B: Split\n  B: Merge", "5:3: the key 'B' is used twice; the first is on line 4"),
        ("  B: Split", "  B: Split\n  [x]: y", "5:3: the key before ':' must be text; put it in quotes"),
        ("    says: The mask hides the wrong tokens.\n", "", "7:5: family 'mask' has no 'says'"),
        ("layout: {says:", "layout: {say:", "9:12: family 'layout' has an unknown key 'say'. Did you mean 'says'?"),
        ("layout: {says:", "layout: {name: x, says:", "9:12: family 'layout' has an unknown key 'name'."),
        ("  layout: {says: The axes are in the wrong order., slugs: [split-view, split-order]}", "  layout: wrong",
         "9:11: family 'layout' must be a mapping ('key: value' lines), not the text 'wrong'"),
        ("    kind: quiz", "    kind: quizz",
         "27:11: exercise 'b1_look': 'kind' must be 'code', 'quiz' or 'text', not the text 'quizz'."
         " Did you mean 'quiz'?"),
        ("    kind: quiz", "    kind: 1",
         "27:11: exercise 'b1_look': 'kind' must be 'code', 'quiz' or 'text', not the number 1"),
        ("    kind: quiz\n", "", "24:5: exercise 'b1_look' has no 'kind'"),
        ("    minutes: 4", "    minutes: four",
         "29:14: exercise 'b1_look': 'minutes' must be a whole number, not the text 'four'"),
        ("    minutes: 4", "    minutes: .inf",
         "29:14: exercise 'b1_look': 'minutes' must be a whole number, not the number inf"),
        ("    points: 2.5", "    points: true", "28:13: exercise 'b1_look': 'points' must be a number, not true"),
        ("    points: 2.5", "    points: .nan",
         "28:13: exercise 'b1_look': 'points' must be a finite number, not the number nan"),
        ("    lesson: Read the split.", "    lesson: Read the split.\n    bonus: maybe",
         "33:12: exercise 'b1_look': 'bonus' must be true or false, not the text 'maybe'"),
        ("[a1_mask]", "a1_mask", "30:12: exercise 'b1_look': 'needs' must be a list, not the text 'a1_mask'"),
        ("[7, 19]", "[7, x]",
         "31:21: exercise 'b1_look': item 2 of 'S1' in 'seeds' must be a whole number, not the text 'x'"),
        ("{S1: [7, 19]}", "[7, 19]",
         "31:12: exercise 'b1_look': 'seeds' must be a mapping ('key: value' lines), not a list"),
        ("[where, the idea, the line]", "[where, the idea, 3]",
         "23:30: exercise 'a1_mask': item 3 of 'hints' must be text, not the number 3; put it in quotes"),
        ("values: {points: 2,", "values: {point: 2,",
         "21:16: check 'values' of exercise 'a1_mask' has an unknown key 'point'. Did you mean 'points'?"),
        ("values: {points: 2,", "values: {points: two,",
         "21:24: check 'values' of exercise 'a1_mask': 'points' must be a number, not the text 'two'"),
        ("values: {points: 2,", "values: {id: values, points: 2,",
         "21:16: check 'values' of exercise 'a1_mask' has an unknown key 'id'."),
        ("  - id: b1_look\n", "  - id: 7\n",
         "24:9: exercise number 2: 'id' must be text, not the number 7; put it in quotes"),
        ("exercises:\n", "exercises:\n  - a1_mask\n",
         "11:5: exercise number 1 must be a mapping ('key: value' lines), not the text 'a1_mask'"),
        ("    minutes: 4", f"    minutes: {'9' * 5000}",
         f"29:14: exercise 'b1_look': 'minutes' must be a whole number, not the text '{'9' * 37}...'"),
    ],
)  # fmt: skip
def test_one_wrong_thing(problems: Problems, old: str, new: str, problem: str) -> None:
    """Each mistake is reported at its line and column, in words that say what belongs there."""
    assert f"course.yaml:{problem}" in problems(old, new)


def test_lists_where_mappings_belong(problems: Problems) -> None:
    """The three mappings that name things are asked for as mappings, although the model keeps them as tuples."""
    found = problems("\n  A: See a head\n  B: Split", " [A, B]")
    assert found == ["course.yaml:2:9: 'stages' must be a mapping ('key: value' lines), not a list"]


def test_long_text_is_shortened(problems: Problems) -> None:
    """A message quotes the beginning of a long text only."""
    found = problems("    minutes: 4", f"    minutes: {'x' * 100}")
    assert found == [
        f"course.yaml:29:14: exercise 'b1_look': 'minutes' must be a whole number, not the text '{'x' * 37}...'"
    ]


def test_messages_are_plain_lines(problems: Problems) -> None:
    """Line breaks and control characters in a quoted part do not reach the terminal."""
    found = problems("stage: B", r'stage: "a\e[1m\nb"')
    assert found == [
        "course.yaml:26:12: exercise 'b1_look' is in stage 'a [1m b', which does not exist; there are A, B"
    ]


def test_a_tag_on_the_wrong_text(problems: Problems) -> None:
    """Text that is declared to be a number stays text, and is reported as such."""
    found = problems("minutes: 4", "minutes: !!int ''")
    assert "course.yaml:29:14: exercise 'b1_look': 'minutes' must be a whole number, not the text ''" in found


def test_everything_at_once_in_the_order_of_the_file(problems: Problems) -> None:
    """Mistakes of shape and of content are found in one pass and listed from top to bottom."""
    found = problems(
        "    needs: [a1_mask]", "    need: [a1_mask]",
        "title: Tiny course", "titel: Tiny course",
        "    stage: A", "    stage: C",
        "    minutes: 5", "    minutes: soon",
    )  # fmt: skip
    assert found == [
        "course.yaml:1:1: the course has an unknown key 'titel'. Did you mean 'title'?",
        "course.yaml:1:1: the course has no 'title'",
        "course.yaml:13:12: exercise 'a1_mask' is in stage 'C', which does not exist; there are A, B",
        "course.yaml:18:14: exercise 'a1_mask': 'minutes' must be a whole number, not the text 'soon'",
        "course.yaml:30:5: exercise 'b1_look' has an unknown key 'need'. Did you mean 'needs'?",
    ]
