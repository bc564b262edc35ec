"""From observations to named misconceptions, points and messages, on a key made by hand."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.course.model import Check, Exercise
from autograder.judge.diagnose import diagnose, distinct
from autograder.judge.key import Key, Pairs, Variant
from autograder.judge.score import is_right, judge
from autograder.judge.sketch import Sketches
from autograder.records import Array, Misconception, Observation, Observations, Probe, Raised, Submission

PROBES = (
    Probe(name="two", check="values", why="t", inputs={"n": 2}),
    Probe(name="three", check="values", why="t", inputs={"n": 3}, shown=False),
    Probe(name="zero", check="corner", why="t", inputs={"n": 0}, ordinary=False),
)
EXERCISE = Exercise(
    id="x1_square", title="Square", stage="X", kind="code", defines=("square",), points=3, minutes=1, lesson="l",
    checks=(Check("values", 2, "squares numbers"), Check("corner", 1, "zero too", needs=("values",))),
)  # fmt: skip


def answers(two: object, three: object, zero: object) -> dict[str, Observation]:
    """What came back for each probe."""
    values = {"two": two, "three": three, "zero": zero}
    return {name: Observation(name, "returned", parts={"result": value}) for name, value in values.items()}  # type: ignore[dict-item]


def variant(slug: str, *values: object, same_as: tuple[str, ...] = ()) -> Variant:
    """A misconception with its answers."""
    wrong = Misconception(slug, "powers", f"That is {slug}.", "square", "", "", "square", "k1", same_as)
    return Variant(wrong, answers(*values))


KEY = Key(
    "x1_square", "square", PROBES, answers(4, 9, 0),
    (variant("doubling", 4, 6, 0), variant("cubing", 8, 27, 0), variant("crash-at-zero", 4, 9, 1)),
)  # fmt: skip
SUBMISSION = Submission("ada", "x1_square", b"", "x1_square.py")


def test_a_misconception_is_named_only_on_all_ordinary_probes() -> None:
    """One probe in common is not enough for a name."""
    assert diagnose(KEY, answers(8, 27, 5)).slugs == ("cubing",)
    assert diagnose(KEY, answers(8, 26, 0)).slugs == ()


def test_the_other_probes_decide_when_ordinary_ones_are_right() -> None:
    """A fault that only a corner shows is named by the corner."""
    assert diagnose(KEY, answers(4, 9, 1)).slugs == ("crash-at-zero",)


def test_probes_that_were_not_asked_do_not_count() -> None:
    """At home, without the hidden probes, the shown ones name the misconception."""
    home = {name: seen for name, seen in answers(8, 0, 0).items() if name != "three"}
    assert diagnose(KEY, home).slugs == ("cubing",)


def test_a_right_answer_is_never_named() -> None:
    """Full marks come without a diagnosis."""
    result = judge(EXERCISE, KEY, SUBMISSION, Observations(answers(4, 9, 0)))
    assert (result.verdict, result.points, result.misconceptions, result.message) == ("OK", 3, (), "")


def test_measuring_what_is_no_number_warns_nobody() -> None:
    """Infinite answers are no trouble of the grader's, neither when they arrive nor when they are judged."""

    def spread(inputs: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
        return {"spread": float((parts["result"] - parts["result"].max()).min())}

    probes = tuple(replace(probe, measure=spread) for probe in PROBES)
    right, wild = (answers(*[Array.of(np.float64(values))] * 3) for values in ([1, 2], [np.inf, -1e308]))
    key = replace(KEY, probes=probes, reference=right, variants=())
    with warnings.catch_warnings(record=True, action="always") as told:
        assert not is_right(key, probes[0], wild["two"])
        assert judge(EXERCISE, key, SUBMISSION, Observations(wild)).points == 0
    assert told == []


def test_partial_credit_and_dependent_checks() -> None:
    """A check earns its points alone, and not before the checks it needs."""
    corner = judge(EXERCISE, KEY, SUBMISSION, Observations(answers(4, 9, 7)))
    assert [(check.id, check.points) for check in corner.checks] == [("values", 2), ("corner", 0)]
    values = judge(EXERCISE, KEY, SUBMISSION, Observations(answers(5, 9, 0)))
    assert values.points == 0
    assert values.checks[1].message == "counts once these checks pass: values"


def test_the_message_says_what_was_called_what_came_back_and_what_to_think_about() -> None:
    """Call, finding and the misconception's sentence, in this order."""
    result = judge(EXERCISE, KEY, SUBMISSION, Observations(answers(8, 27, 0)))
    assert result.message == "square(n=2) came back with the wrong number. That is cubing."
    assert result.family == "powers"


def test_a_hidden_probe_tells_no_exception_text() -> None:
    """An exception's text may hold hidden input; the learner's own line may not."""
    seen = answers(4, 9, 0)
    secret = Raised("ValueError", "17.25 is bad", ((3, "square", "raise ValueError(f'{n} is bad')"),))
    seen["three"] = Observation("three", "raised", raised=secret)
    message = judge(EXERCISE, KEY, SUBMISSION, Observations(seen)).message
    assert message == ("square(n=3) (a hidden check) raised ValueError in line 3 (`raise ValueError(f'{n} is bad')`).")


def test_shapes_at_the_failing_line_are_no_secret() -> None:
    """The arrays of the line are told with their shapes, of hidden probes too."""
    seen = answers(4, 9, 0)
    clash = Raised("RuntimeError", "no", ((3, "square", "return a @ b"),), (("a", (2, 3)), ("b", (2, 3))))
    seen["three"] = Observation("three", "raised", raised=clash)
    message = judge(EXERCISE, KEY, SUBMISSION, Observations(seen)).message
    assert message.endswith(
        "raised RuntimeError in line 3 (`return a @ b`) with a of shape (2, 3) and b of shape (2, 3)."
    )


def test_an_error_is_quoted_once() -> None:
    """A second check that stops in the same line refers to the first."""
    clash = Raised("RuntimeError", "no", ((3, "square", "return a @ b"),))
    seen = {name: Observation(name, "raised", raised=clash) for name in ("two", "three", "zero")}
    checks = judge(EXERCISE, KEY, SUBMISSION, Observations(seen)).checks
    assert checks[1].message == "square(n=0) raised the same error in line 3."


def test_a_corner_case_says_why_it_is_asked() -> None:
    """Where all ordinary answers are right and nothing can be named, the probe's own reason helps."""
    message = judge(EXERCISE, KEY, SUBMISSION, Observations(answers(4, 9, 7))).message
    assert message.endswith("All ordinary inputs are answered right. Why this one is asked: t.")


def test_judging_is_pure() -> None:
    """The same observations give the same result, object for object."""
    seen = Observations(answers(8, 27, 0))
    assert judge(EXERCISE, KEY, SUBMISSION, seen) == judge(EXERCISE, KEY, SUBMISSION, seen)


def with_pairs(*pairs: tuple[int, int, int, int]) -> Key:
    """The key with pairs: two places in its variants, and what the two together answer to the ordinary probes."""
    rows = [answers(two, three, None) for _, _, two, three in pairs]
    told = Pairs([pair[:2] for pair in pairs], rows, Sketches.of(rows, PROBES[:2]))
    return replace(KEY, load_pairs=lambda: told)


def test_two_at_once_are_named_where_no_single_one_explains() -> None:
    """Both names and both sentences."""
    key = with_pairs((0, 1, 20, 30))
    diagnosis = diagnose(key, answers(20, 30, 5))
    assert (diagnosis.slugs, diagnosis.at_once) == (("doubling", "cubing"), True)
    result = judge(EXERCISE, key, SUBMISSION, Observations(answers(20, 30, 5)))
    assert result.message.endswith("Two things at once: That is doubling. And: That is cubing.")


def test_two_at_once_need_all_their_probes() -> None:
    """One probe in common is not enough, nor is being asked only one of the two."""
    key = with_pairs((0, 1, 20, 30))
    assert diagnose(key, answers(20, 31, 5)).slugs == ()
    home = {name: seen for name, seen in answers(20, 0, 0).items() if name != "three"}
    assert diagnose(key, home).slugs == ()


def test_a_single_misconception_wins_over_two() -> None:
    """What one thought explains needs no second one."""
    assert diagnose(with_pairs((0, 2, 8, 27)), answers(8, 27, 0)).slugs == ("cubing",)


def test_pairs_that_answer_alike_name_what_they_share() -> None:
    """One misconception that is in all of them, or none."""
    key = with_pairs((0, 1, 20, 30), (1, 2, 20, 30))
    diagnosis = diagnose(key, answers(20, 30, 5))
    assert (diagnosis.slugs, diagnosis.at_once) == (("cubing",), False)
    nothing = with_pairs((0, 1, 20, 30), (1, 2, 20, 30), (0, 2, 20, 30))
    assert diagnose(nothing, answers(20, 30, 5)).slugs == ()


def test_two_that_show_on_different_probes_are_named_as_two() -> None:
    """Each explains some probes in full and is right on the others, so nothing has to be run to know."""
    key = replace(KEY, variants=(variant("wrong-at-two", 5, 9, 0), variant("wrong-at-three", 4, 7, 0)))
    diagnosis = diagnose(key, answers(5, 7, 0))
    assert (diagnosis.slugs, diagnosis.at_once) == (("wrong-at-two", "wrong-at-three"), True)
    assert diagnose(key, answers(5, 8, 0)).slugs == ()


def test_what_cannot_be_named_alone_is_left_out_of_composition() -> None:
    """Of the same answers the misconception written nearest stays; one that is right here goes."""
    far = [replace(each.misconception, home="far") for each in KEY.variants]
    inherited = (
        Variant(replace(far[0], slug="twice"), answers(4, 6, 0)),  # what doubling answers
        Variant(replace(far[0], slug="harmless"), answers(4, 9, 0)),
        Variant(replace(far[0], slug="negative"), answers(-4, -9, 0)),
    )
    own = tuple(replace(each, misconception=replace(each.misconception, home=KEY.exercise)) for each in KEY.variants)
    kept = distinct(replace(KEY, variants=own + inherited)).variants
    assert [each.misconception.slug for each in kept] == ["doubling", "cubing", "crash-at-zero", "negative"]
