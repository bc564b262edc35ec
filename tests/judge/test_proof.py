"""What the same answers prove: a name takes wrong numbers, or a crash that goes away at other sizes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autograder.course.model import Check, Exercise
from autograder.judge.diagnose import diagnose
from autograder.judge.key import Key, Variant
from autograder.judge.score import judge
from autograder.records import Array, Misconception, Observation, Observations, Probe, Proof, Raised, Submission

SIZES = {"two": 2, "three": 3, "one": 1}
PROBES = tuple(Probe(name=name, check="all", why="t", inputs={"n": n}, ordinary=n > 1) for name, n in SIZES.items())
EXERCISE = Exercise(
    id="x1_ones", title="Ones", stage="X", kind="code", defines=("ones",), points=1, minutes=1, lesson="l",
    checks=(Check("all", 1, "ones"),),
)  # fmt: skip
CRASH = Raised("ValueError", "sizes clash")
Answers = dict[str, Observation]


def arrays(*values: object, dtype: str = "float32") -> Answers:
    """For each probe an array of its size, filled with a value; "crash" for an exception."""
    return {
        name: Observation(name, "raised", raised=CRASH)
        if value == "crash"
        else Observation(name, "returned", parts={"result": Array.of(np.full(SIZES[name], value, dtype))})
        for name, value in zip(SIZES, values, strict=True)
    }


RIGHT = arrays(1, 1, 1)


def key(*wrong: tuple[str, Answers, Proof]) -> Key:
    """A key in which these slugs give these answers."""
    listed = (Misconception(slug, "f", f"That is {slug}.", "ones", "", "", "ones", "x1_ones", proves=proves)
              for slug, _, proves in wrong)  # fmt: skip
    variants = tuple(Variant(each, answers) for each, (_, answers, _) in zip(listed, wrong, strict=True))
    return Key("x1_ones", "ones", PROBES, RIGHT, variants)


@pytest.mark.parametrize(
    ("answers", "named"),
    [
        (arrays(2, 2, 1), True),
        (arrays(np.nan, np.nan, 1), False),
        (arrays(np.inf, np.nan, 1), False),
        (arrays(1, 1, 1, dtype="float64"), False),
        (arrays(1, 1, 1, dtype="int64"), True),
        (arrays("crash", "crash", "crash"), False),
        (arrays("crash", "crash", 1), True),
        (arrays("crash", 1, 1), True),
    ],
    ids=["numbers", "NaN", "infinity", "precision", "another kind", "crash", "crash with sizes", "crash at one size"],
)
def test_what_proves_a_name(answers: Answers, named: bool) -> None:
    """NaN, another precision and a crash at all sizes have too many causes."""
    assert diagnose(key(("known", answers, "")), answers).slugs == (("known",) if named else ())


def test_a_crash_has_to_go_away_in_the_same_way() -> None:
    """Where the one runs and the other does not, two crashes are not of the same kind."""
    assert diagnose(key(("known", arrays("crash", "crash", 1), "")), arrays("crash", "crash", 2)).slugs == ()


@pytest.mark.parametrize(("proves", "family"), [("family", "f"), ("nothing", None)])
def test_a_sentence_without_a_name(proves: Proof, family: str | None) -> None:
    """What unlisted thoughts answer too is told as a sentence, with the family where its author vouches for that."""
    answers = arrays(np.nan, np.nan, 1)
    result = judge(
        EXERCISE, key(("known", answers, proves)), Submission("a", "x1_ones", b"", ""), Observations(answers)
    )
    assert (result.misconceptions, result.family, result.message[-14:]) == ((), family, "That is known.")


def test_names_beside_such_a_sentence_are_not_proved() -> None:
    """A name whose answers are also those of thoughts that nobody listed is not said."""
    answers = arrays(1, 1, np.nan)
    found = diagnose(key(("named", answers, ""), ("told", answers, "nothing")), answers)
    assert (found.slugs, [each.slug for each in found.told]) == ((), ["told"])


def test_an_author_may_vouch_for_a_crash() -> None:
    """An error whose text names what only one thought builds in proves the name by itself."""
    answers = arrays("crash", "crash", "crash")
    assert diagnose(key(("known", answers, "name")), answers).slugs == ("known",)


def test_a_float_that_is_near_a_whole_number_is_not_that_number() -> None:
    """A misconception that answers with floats is not named for a whole number that is off by little."""
    answers = {name: Observation(name, "returned", parts={"result": 1_000_000}) for name in SIZES}
    floats = {name: Observation(name, "returned", parts={"result": 1_000_001.0}) for name in SIZES}
    wrong = replace(key(("float", floats, "")), reference={**answers})
    assert (
        diagnose(wrong, {name: replace(each, parts={"result": 1_000_002}) for name, each in answers.items()}).slugs
        == ()
    )


def test_harm_that_nobody_listed_gets_a_sentence_too() -> None:
    """A right answer that changes its input hears what that does to its owner."""
    answers = {name: replace(each, changed=("n",)) for name, each in RIGHT.items()}
    result = judge(EXERCISE, key(), Submission("a", "x1_ones", b"", ""), Observations(answers))
    assert (result.verdict, result.misconceptions) == ("MUTATED", ())
    assert "Its owner may still need it" in result.message


def test_a_sentence_belongs_to_what_was_called() -> None:
    """Of two functions that are wrong, the message is about the one whose thought is known."""
    probes = tuple(Probe(name=name, check="all", why="t", inputs={"n": 1}, call=name) for name in ("first", "second"))
    numbers = {name: Observation(name, "returned", parts={"result": 1}) for name in ("first", "second")}
    wrong = {name: replace(each, parts={"result": 7}) for name, each in numbers.items()}
    known = Misconception("known", "f", "That is known.", "second", "", "", "second", "x1_ones")
    two = Key("x1_ones", "first", probes, numbers, (Variant(known, {**numbers, "second": wrong["second"]}),))
    result = judge(EXERCISE, two, Submission("a", "x1_ones", b"", ""), Observations(wrong))
    assert result.message == "second(n=1) came back with the wrong number. That is known."


def test_what_builds_on_something_wrong_has_no_name() -> None:
    """A right second step after a wrong first one gives wrong numbers, which may be those of another thought."""
    first, second = PROBES[0], replace(PROBES[1], call="more", builds_on="ones")
    listed = replace(key(("known", arrays(1, 2, 1), "")), probes=(first, second))
    variants = [replace(each, misconception=replace(each.misconception, entry="more")) for each in listed.variants]
    listed = replace(listed, variants=tuple(variants))
    assert diagnose(listed, arrays(1, 2, 1)).slugs == ("known",)
    assert diagnose(listed, arrays(3, 2, 1)).slugs == ()
