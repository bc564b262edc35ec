"""Right answers that do harm: named by the harm, whatever line of code does it, on a key made by hand."""

from __future__ import annotations

from dataclasses import replace

from autograder.judge.diagnose import diagnose
from autograder.judge.key import Key, Variant
from autograder.judge.messages import teach
from autograder.records import Misconception, Observation, Probe, Raised

PROBES = (
    Probe(name="plain", check="values", why="t", inputs={"x": 2, "y": 3}),
    Probe(name="odd", check="corner", why="t", inputs={"x": 1, "y": 0}, ordinary=False),
    Probe(name="gradient", check="corner", why="t", inputs={"x": 2, "y": 3}, gradient=True, ordinary=False),
)


def seen(
    result: object = 6, *, changed: tuple[str, ...] = (), odd: object = None, lost: tuple[str, ...] = ()
) -> dict[str, Observation]:
    """What came back: `odd` instead of a refusal, changed inputs, and no gradient at the inputs that are `lost`."""
    gradient = {name: None if name in lost else 1.0 for name in ("x", "y")}
    refused = (
        Observation("odd", "raised", raised=Raised("ValueError", "no"))
        if odd is None
        else Observation("odd", "returned", parts={"result": odd})
    )
    return {
        "plain": Observation("plain", "returned", parts={"result": result}, changed=changed),
        "odd": refused,
        "gradient": Observation("gradient", "returned", parts={"result": 6, "gradient": gradient}),
    }


def variant(slug: str, answers: dict[str, Observation]) -> Variant:
    """A misconception with its answers."""
    wrong = Misconception(slug, "harm", f"That is {slug}.", "product", "", "", "product", "k1", ())
    return Variant(wrong, answers)


KEY = Key(
    "x1_product", "product", PROBES, seen(),
    (
        variant("spoils-x", seen(changed=("x",))), variant("cuts", seen(lost=("x", "y"))),
        variant("lenient", seen(odd=0)), variant("adds", seen(5)),
    ),
)  # fmt: skip


def test_a_changed_input_is_known_whichever_it_is() -> None:
    """Nobody listed a changed y; it is the same thought, and its sentence, which speaks of x, is not told."""
    found = diagnose(KEY, seen(changed=("y",)))
    assert found.slugs == ("spoils-x",)
    assert teach(found, "product") == []


def test_a_cut_gradient_is_known_wherever_it_is_cut() -> None:
    """One input without a gradient is as much of a cut as all of them."""
    assert diagnose(KEY, seen(lost=("y",))).slugs == ("cuts",)


def test_who_answers_what_is_to_be_refused_is_known_by_any_answer() -> None:
    """Whatever comes back instead of an error."""
    assert diagnose(KEY, seen(odd=17)).slugs == ("lenient",)


def test_wrong_numbers_are_not_put_down_to_harm() -> None:
    """The name says that the answer is right."""
    assert diagnose(KEY, seen(7, odd=17)).slugs == ()


def test_two_harms_at_once_have_no_name() -> None:
    """Neither of them is all there is to say."""
    assert diagnose(KEY, seen(changed=("y",), lost=("y",))).slugs == ()


def test_harm_that_two_thoughts_do_has_no_name() -> None:
    """Where listed misconceptions of different names do the same harm it proves none of them."""
    rivals = (*KEY.variants, variant("polite", seen(odd=1)))
    assert diagnose(replace(KEY, variants=rivals), seen(odd=17)).slugs == ()


def test_a_wrong_answer_without_a_gradient_cuts_none() -> None:
    """An answer kept from an earlier call has no gradient either, and is wrong: that is another story."""
    kept = seen(lost=("y",))
    gradient = replace(kept["gradient"], parts=kept["gradient"].parts | {"result": 5})
    assert diagnose(KEY, kept | {"gradient": gradient}).slugs == ()
