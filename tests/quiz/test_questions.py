"""How each kind of question marks, and what it tells its author."""

from __future__ import annotations

import pytest

from autograder.quiz import Choice, Number, Numbers, OneOf, Ordering, Shape, SomeOf, Wrong
from autograder.quiz.questions import Question
from autograder.quiz.refused import Refused

ONE = OneOf("?", (Choice("x", "no", slug="some-slug"), Choice("y", "yes", right=True)))
SOME = SomeOf(
    "?", (Choice("w", "yes", right=True), Choice("x", "no"), Choice("y", "yes", right=True), Choice("z", "no"))
)
BYTES = Number(
    ask="?", answer=36 * 2**20, says="yes", unit="bytes", otherwise="count",
    wrong=(Wrong(18 * 2**20, "keys and values", "a-slug"),),
)  # fmt: skip
SHARE = Number(ask="?", answer=0.98776, says="yes", unit="%", within=0.0006, otherwise="exp", wrong=(Wrong(1.0, "hm"),))
ORDER = Ordering(ask="?", answer=("p", "q", "r"), says="yes", otherwise="no", wrong=(Wrong(("r", "q", "p"), "turned"),))


def test_one_choice() -> None:
    """The explanation of the choice taken is told, and its misconception named."""
    assert (ONE.mark("b").share, ONE.mark("b").says) == (1, "b: yes")
    assert (ONE.mark("a").share, ONE.mark("a").says, ONE.mark("a").slugs) == (0, "a: no", ("some-slug",))
    with pytest.raises(Refused, match="one is right"):
        ONE.mark("a, b")


@pytest.mark.parametrize(
    ("text", "share"), [("a, c", 1), ("a", 0.5), ("a, b", 0), ("a, b, c", 0.5), ("abcd", 0), ("b", 0), ("b, d", 0)]
)
def test_several_choices(text: str, share: float) -> None:
    """Right ones earn their part, wrong ones cost theirs; taking all of them earns nothing."""
    assert SOME.mark(text).share == share


def test_a_missing_choice_is_told_but_not_named() -> None:
    """The learner hears that something is missing, not what."""
    assert SOME.mark("a").says == "a: yes Not everything that belongs is there."


def test_numbers_with_units() -> None:
    """The same number in any unit is right, a known wrong one is recognised, another one hears the general sentence."""
    assert BYTES.mark("37748736").share == BYTES.mark("36 MiB").share == BYTES.mark("36 * 1024 KiB").share == 1
    assert BYTES.mark("18 MiB").slugs == ("a-slug",)
    assert BYTES.mark("36 MB").says == "'36 MB' is not it. count"


def test_tolerance() -> None:
    """A rounded answer is right, one that is rounded too far is not."""
    assert [SHARE.mark(text).share for text in ("98.8", "98.8%", "98.78", "99", "0.988")] == [1, 1, 1, 0, 0]
    assert SHARE.mark("100").says == "'100': hm"


def test_shapes_in_letters() -> None:
    """Each way of writing an axis counts as its name."""
    question = Shape(ask="?", answer=("B", "h"), says="yes", otherwise="no", names={"B": (), "h": ("n_head",)})
    assert question.mark("(B, n_head)").share == question.mark("b x H").share == 1
    assert question.mark("(h, B)").share == 0


def test_products_of_axes() -> None:
    """A product is the axis that it makes; its letters without a sign between them are no axis at all."""
    names = {"C": ("h*d",), "d": ("d_head",), "3C": ("3*C",)}
    question = Shape(ask="?", answer=("C", "3C"), says="yes", otherwise="no", names=names)
    assert question.mark("(h * d, 3 * C)").share == question.mark("(h*d, 3C)").share == 1
    with pytest.raises(Refused, match=r"'hd' is no size of an axis here; type one for each, as in \(C, d\)"):
        question.mark("(hd, 3C)")


def test_a_list_is_right_as_a_whole() -> None:
    """No points for a beginning."""
    question = Numbers(ask="?", answer=[1, 2, 3], says="yes", otherwise="no")
    assert [question.mark(text).share for text in ("1, 2, 3", "[1, 2]", "1 2 4")] == [1, 0, 0]


def test_orders_are_shuffled() -> None:
    """Letters mean what stands on the sheet."""
    shown = ORDER.shuffled(lambda count: [2, 0, 1])
    assert shown.options == ("r", "p", "q")
    assert (shown.model, shown.mark("b, c, a").share, shown.mark("acb").says) == ("b, c, a", 1, "'acb': turned")


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        (OneOf("?", (Choice("x", "no"), Choice("y", "no"))), "0 right choices"),
        (OneOf("?", (Choice("x", "y", right=True), Choice("y", "y", right=True))), "2 right choices"),
        (OneOf("?", (Choice("x", "", right=True), Choice("y", "y"))), "'x' has no explanation"),
        (OneOf("?", (Choice("x", "y", right=True), Choice("X ", "y"))), "say the same"),
        (OneOf("?", (Choice("x", "y", right=True),)), "1 choices"),
        (OneOf("", ONE.choices), "asks nothing"),
        (OneOf("?", (Choice("x", "n", slug="No Slug"), Choice("y", "y", right=True))), "small letters"),
        (SomeOf("?", (Choice("x", "y", right=True), Choice("y", "y", right=True))), "one wrong choice"),
        (Number(ask="?", answer=1, says="", otherwise="n", wrong=(Wrong(2, "n"),)), "right answer has no explanation"),
        (Number(ask="?", answer=1, says="y", otherwise="", wrong=(Wrong(2, "n"),)), "any other has no explanation"),
        (Number(ask="?", answer=1, says="y", otherwise="n"), "knows no wrong answer"),
        (Number(ask="?", answer=1, says="y", otherwise="n", wrong=(Wrong(1, "n"),)), "told from the right answer"),
        (Number(ask="?", answer=1, says="y", otherwise="n", wrong=(Wrong(2, "n"), Wrong(2, "m"))), "told from 2"),
        (Number(ask="?", answer=0.5, says="y", otherwise="n", wrong=(Wrong(2, "n"),)), "`within`"),
        (Ordering(ask="?", answer=tuple("pqr"), says="y", otherwise="n", wrong=(Wrong(("p",), "n"),)), "same things"),
        (Ordering(ask="?", answer=("p", "q"), says="y", otherwise="n"), "orders 2 things"),
    ],
)  # fmt: skip
def test_faults(question: Question, fault: str) -> None:
    """An author hears what has to be mended."""
    assert [said for said in question.faults() if fault in said]


@pytest.mark.parametrize("question", [ONE, SOME, BYTES, SHARE, ORDER])
def test_sound_questions(question: Question) -> None:
    """Nothing is said about a sound one, and its own answer is right."""
    assert list(question.faults()) == []
    assert question.mark(question.model).share == 1
