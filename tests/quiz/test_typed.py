"""Letters, lists, shapes and orders as people type them."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.quiz import typed
from autograder.quiz.refused import Refused

CHOICES = ("a sieve", "a spade", "a hose")
NAMES = {"b": "B", "h": "h", "nh": "h", "t": "T", "d": "d", "3c": "3C"}


@pytest.mark.parametrize(
    ("text", "places"),
    [("b", (1,)), ("B", (1,)), ("(b)", (1,)), ("b)", (1,)), ("b.", (1,)), ("[b]", (1,)), ("a spade", (1,)),
     ("b) A  Spade", (1,)), ("a, c", (0, 2)), ("ac", (0, 2)), ("c a", (2, 0)), ("[a, c]", (0, 2)), ("{a, c}", (0, 2)),
     ("a and c", (0, 2)), ("a & c", (0, 2)), ("a;c", (0, 2))],
)  # fmt: skip
def test_letters(text: str, places: tuple[int, ...]) -> None:
    """A choice is named by its letter, with or without decoration, or by its words."""
    assert typed.letters(text, CHOICES) == places


@pytest.mark.parametrize("text", ["d", "1", "a lot", "aa", "a, a", "none", "?", ""])
def test_no_letters(text: str) -> None:
    """Anything else is refused, naming the letters there are."""
    with pytest.raises(Refused, match=r"letter"):
        typed.letters(text, CHOICES)


@pytest.mark.parametrize(
    ("text", "values"),
    [("[1, 2]", (1, 2)), ("(1, 2)", (1, 2)), ("1, 2", (1, 2)), ("1 2", (1, 2)), ("1;2", (1, 2)), ("[1, 2,]", (1, 2)),
     ("[[0, 1], [4, 5]]", (0, 1, 4, 5)), ("array([1, 2])", (1, 2)), ("np.array([[1], [2]])", (1, 2)), ("[]", ()),
     ("[2^3, 1/2]", (8, 0.5)), ("7", (7,))],
)  # fmt: skip
def test_numbers(text: str, values: tuple[float, ...]) -> None:
    """Brackets of any kind, or none."""
    assert typed.numbers(text) == values


@pytest.mark.parametrize(
    ("text", "shape"),
    [("(2, 12, 5, 64)", (2, 12, 5, 64)), ("[2,12,5,64]", (2, 12, 5, 64)), ("2x12x5x64", (2, 12, 5, 64)),
     ("2 \N{MULTIPLICATION SIGN} 12", (2, 12)), ("2*12", (2, 12)), ("2 12", (2, 12)), ("2.0, 12", (2, 12)),
     ("torch.Size([2, 12])", (2, 12)), ("(5,)", (5,)), ("(B, h, T, d)", ("B", "h", "T", "d")),
     ("B x nh x t", ("B", "h", "T")),
     ("(B, T, 3*C)", ("B", "T", "3C")), ("(B, T, C*3)", ("B", "T", "3C")), ("B T 3C", ("B", "T", "3C")), ("()", ())],
)  # fmt: skip
def test_shapes(text: str, shape: tuple[int | str, ...]) -> None:
    """Numbers and the names of axes, with any usual sign between them."""
    assert typed.shape(text, NAMES) == shape


@pytest.mark.parametrize("text", ["(B, q)", "2, -1", "2.5", "two", "", "(2, , 3)", "1," * 500])
def test_no_shapes(text: str) -> None:
    """What is no axis is refused."""
    with pytest.raises(Refused):
        typed.shape(text, NAMES)


@pytest.mark.parametrize(
    "text", ["b, a, c", "bac", "b a c", "b > a > c", "[b, a, c]", "B-A-C", "b \N{RIGHTWARDS ARROW} a, c"]
)
def test_orders(text: str) -> None:
    """Any separator will do."""
    assert typed.order(text, 3) == (1, 0, 2)


@pytest.mark.parametrize("text", ["b, a", "abcd", "aab", "a < b < c", ""])
def test_no_orders(text: str) -> None:
    """Every letter has to be there once."""
    with pytest.raises(Refused, match="each once"):
        typed.order(text, 3)


@given(st.text(max_size=100))
def test_nothing_but_answers_and_refusals(text: str) -> None:
    """No text brings a reader down."""
    for read in (
        lambda: typed.letters(text, CHOICES), lambda: typed.numbers(text), lambda: typed.shape(text, NAMES),
        lambda: typed.order(text, 3),
    ):  # fmt: skip
        with suppress(Refused):
            read()
