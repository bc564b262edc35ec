"""The terms of handing in: times, penalties and ready-made names that say what they mean, or are refused in words."""

from collections.abc import Callable

import pytest

Problems = Callable[..., list[str]]

EXAMPLE = "2026-03-02T18:00+01:00"
MUST_BE = f"must be a date, a time and a zone, as in '{EXAMPLE}', not the text"
NO_ZONE = f"has no zone; write it as in '{EXAMPLE}', or with 'Z' for UTC"
GONE = "is a time that does not exist,"


@pytest.mark.parametrize(
    ("due", "fault"),
    [
        ("soon", f"{MUST_BE} 'soon'"),
        ("'soon'", f"{MUST_BE} 'soon'"),
        ("2026-03-02", f"{MUST_BE} '2026-03-02'"),
        ("2026-03-02T18+01:00", f"{MUST_BE} '2026-03-02T18+01:00'"),
        ("2026-03-02 18:00:00+01:00", f"{MUST_BE} '2026-03-02 18:00:00+01:00'"),
        ("2026-03-02T18:00 Europe/Berlin", f"{MUST_BE} '2026-03-02T18:00 Europe/Berlin'"),
        ("2026-03-02T18:00:00.5Z", f"{MUST_BE} '2026-03-02T18:00:00.5Z'"),
        ("2026-03-02T24:00Z", f"{MUST_BE} '2026-03-02T24:00Z'"),
        ("20260302T180000Z", f"{MUST_BE} '20260302T180000Z'"),
        ("٢٠٢٦-03-02T18:00Z", f"{MUST_BE} '٢٠٢٦-03-02T18:00Z'"),
        ("2026-03-02T18:00", NO_ZONE),
        ("2026-03-02T18:00:00", NO_ZONE),
        ("'2026-03-02T18:00:00'", NO_ZONE),
        ("2026-02-30T18:00Z", f"{GONE} '2026-02-30T18:00Z'; a right one is '{EXAMPLE}'"),
        ("2026-03-02T18:60Z", f"{GONE} '2026-03-02T18:60Z'; a right one is '{EXAMPLE}'"),
        ("2026-03-02T18:00+25:00", f"{GONE} '2026-03-02T18:00+25:00'; a right one is '{EXAMPLE}'"),
        ("' '", "is empty"),
    ],
)
def test_times(problems: Problems, due: str, fault: str) -> None:
    """A time that not everybody would read alike is refused wherever it stands, with an example of a right one."""
    of_course = "course.yaml:1:13: the course: 'due' in 'late'"
    assert problems("title: Tiny", f"late: {{due: {due}}}\ntitle: Tiny") == [f"{of_course} {fault}"]
    of_exercise = "course.yaml:30:10: exercise 'b1_look': 'due'"
    assert problems("    minutes: 4", f"    minutes: 4\n    due: {due}") == [f"{of_exercise} {fault}"]
    of_extension = "course.yaml:1:50: the course: 'ada' in 'extensions' in 'late'"
    late = f"late: {{due: 2026-03-02T18:00Z, extensions: {{ada: {due}}}}}\n"
    assert problems("title: Tiny", f"{late}title: Tiny") == [f"{of_extension} {fault}"]


@pytest.mark.parametrize(
    ("late", "expected"),
    [
        ("grace_minutes: -1", ["1:47: the course: 'grace_minutes' in 'late' cannot be less than 0"]),
        (f"grace_minutes: {10**12}", ["1:47: the course: 'grace_minutes' in 'late' is far too large"]),
        ("penalty_per_day: -1", ["1:49: the course: 'penalty_per_day' in 'late' must be a percentage from 0 to 100"]),
        ("penalty_per_day: 100.5",
         ["1:49: the course: 'penalty_per_day' in 'late' must be a percentage from 0 to 100"]),
        ("cap: -0.5", ["1:37: the course: 'cap' in 'late' must be a percentage from 0 to 100"]),
        ("cap: 101", ["1:37: the course: 'cap' in 'late' must be a percentage from 0 to 100"]),
        ("extensions: {ada: 2026-03-02T17:59Z}",
         ["1:50: the extension of 'ada' ends before everybody's due time, 2026-03-02T18:00Z"]),
        ("extensions: {ada: 2026-03-02T18:59+01:00}",
         ["1:50: the extension of 'ada' ends before everybody's due time, 2026-03-02T18:00Z"]),
        ("extensions: {ada: 2026-03-03T18:00Z, ada: 2026-03-04T18:00Z}",
         ["1:69: the key 'ada' is used twice; the first is on line 1"]),
        ("cap: 101, grace_minutes: -1, extensions: {ada: soon, bob: 2026-01-01T00:00Z}",
         ["1:37: the course: 'cap' in 'late' must be a percentage from 0 to 100",
          "1:57: the course: 'grace_minutes' in 'late' cannot be less than 0",
          f"1:79: the course: 'ada' in 'extensions' in 'late' {MUST_BE} 'soon'",
          "1:90: the extension of 'bob' ends before everybody's due time, 2026-03-02T18:00Z"]),
    ],
)  # fmt: skip
def test_the_cost_of_lateness(problems: Problems, late: str, expected: list[str]) -> None:
    """Percentages, graces and extensions that make no sense are each reported at their place, all in one pass."""
    found = problems("title: Tiny", f"late: {{due: 2026-03-02T18:00Z, {late}}}\ntitle: Tiny")
    assert found == [f"course.yaml:{problem}" for problem in expected]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("title: Tiny", "late:\ntitle: Tiny",
         ["1:1: the course: 'late' has no value; write one, or leave the line out"]),
        ("    minutes: 4", "    minutes: 4\n    due:\n    ready_made: ~\n    limits:",
         ["30:5: exercise 'b1_look': 'due' has no value; write one, or leave the line out",
          "31:17: exercise 'b1_look': 'ready_made' has no value; write one, or leave the line out",
          "32:5: exercise 'b1_look': 'limits' has no value; write one, or leave the line out"]),
    ],
)  # fmt: skip
def test_keys_without_a_value(problems: Problems, old: str, new: str, expected: list[str]) -> None:
    """A key that somebody started and left empty is not taken for a key that is absent."""
    assert problems(old, new) == [f"course.yaml:{problem}" for problem in expected]


@pytest.mark.parametrize(
    ("ready_made", "expected"),
    [
        ("{names: [argmax, argmin, argmax]}", ["1:38: 'argmax' is twice in the 'names' of 'ready_made'"]),
        ("{names: [torch.nn.Transformer]}",
         ["1:22: 'ready_made' names 'torch.nn.Transformer', which cannot be a name in Python;"
          " 'Transformer' alone is enough"]),
        ("{names: [flex-attention]}", ["1:22: 'ready_made' names 'flex-attention', which cannot be a name in Python"]),
        ("{names: ['']}", ["1:22: the course: item 1 of 'names' in 'ready_made' is empty"]),
        ("{policy: flag}", ["1:22: the course is to flag what is ready-made, but 'ready_made' has no 'names'"]),
        ("{policy: forbid, names: []}",
         ["1:22: the course is to forbid what is ready-made, but 'ready_made' has no 'names'"]),
    ],
)  # fmt: skip
def test_ready_made_names(problems: Problems, ready_made: str, expected: list[str]) -> None:
    """Names are names in Python, each once, and a policy has something to act on."""
    found = problems("title: Tiny", f"ready_made: {ready_made}\ntitle: Tiny")
    assert found == [f"course.yaml:{problem}" for problem in expected]


def test_an_exercise_with_a_policy_for_no_names(problems: Problems) -> None:
    """An exercise cannot be stricter than a course that names nothing."""
    assert problems("    minutes: 4", "    minutes: 4\n    ready_made: forbid") == [
        "course.yaml:30:17: exercise 'b1_look' is to forbid what is ready-made, but 'ready_made' has no 'names'"
    ]


def test_a_broken_list_of_names_is_one_mistake(problems: Problems) -> None:
    """Where the names or the mapping around them are broken, the policies that act on them are not blamed too."""
    flagged = ("    minutes: 4", "    minutes: 4\n    ready_made: flag")
    assert len(problems("title: Tiny", "ready_made: {policy: flag, names: x}\ntitle: Tiny", *flagged)) == 1
    assert len(problems("title: Tiny", "ready_made: flag\ntitle: Tiny", *flagged)) == 1
