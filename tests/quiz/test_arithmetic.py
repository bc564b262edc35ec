"""Numbers as people type them."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.quiz.arithmetic import UNITS, number
from autograder.quiz.refused import Refused


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("768", 768), ("768.0", 768), ("+768", 768), ("7.68e2", 768), (" 1,234 ", 1234), ("2,359,296", 2359296),
        ("2 359 296", 2359296), ("2_359_296", 2359296), ("2'359'296", 2359296), ("2\N{NO-BREAK SPACE}359", 2359),
        ("2^10", 1024), ("2**10", 1024), ("2^-1", Fraction(1, 2)), ("-3", -3), ("\N{MINUS SIGN}3", -3),
        ("12*64", 768), ("12 x 64", 768), ("12x64", 768), ("12\N{MULTIPLICATION SIGN}64", 768), ("4*(768+1)", 3076),
        ("1/6", Fraction(1, 6)), ("2^3^2", 512), ("-2^2", -4), (".5", Fraction(1, 2)), ("98.8%", Fraction(988, 1000)),
        ("12x", 12), ("12\N{MULTIPLICATION SIGN}", 12), ("12 times", 12), ("4*768²", 2359296),
        ("124M", 124_000_000), ("7k", 7000), ("１２", 12), ("5.", 5),
    ],
)  # fmt: skip
def test_numbers(text: str, value: Fraction) -> None:
    """Every usual way of writing a number is read, and read exactly."""
    assert number(text) == value


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("36 MiB", "bytes", 37748736), ("36MiB", "bytes", 37748736), ("1 GiB", "bytes", 2**30),
        ("1 GB", "bytes", 10**9),
        ("37,748,736 bytes", "bytes", 37748736), ("2*3 kB", "bytes", 6000), ("98.8", "%", Fraction(988, 1000)),
        ("98.8 %", "%", Fraction(988, 1000)), ("50 percent", "%", Fraction(1, 2)),
    ],
)  # fmt: skip
def test_units(text: str, unit: str, value: Fraction) -> None:
    """A unit may be written where one is asked for, and counts."""
    assert number(text, unit) == value


@pytest.mark.parametrize(
    "text",
    ["", "abc", "12 apples", "1,5", "1,23", "12,34,56", "2^", "(2", "2)", "1/0", "0^-1", "2^0.5", "10^10^10", "9^9^9",
     "2^100000", "--", "1e999", "36 MiB", "__import__('os')", "0x10", "1;2", "[1]", "nan", "inf",
     "(" * 60 + "1" + ")" * 60, "9" * 200, "1 2", "²", "٣"],
)  # fmt: skip
def test_refusals(text: str) -> None:
    """What is no number is refused with words, however large it would become."""
    with pytest.raises(Refused) as refused:
        number(text)
    assert str(refused.value)


def test_a_decimal_comma_is_explained() -> None:
    """The learner is told what to type."""
    with pytest.raises(Refused, match=r"type 1\.5"):
        number("1,5")


@given(st.text(max_size=150), st.sampled_from(sorted(UNITS)))
def test_nothing_but_numbers_and_refusals(text: str, unit: str) -> None:
    """Any text is a number of bearable size or refused."""
    with suppress(Refused):
        assert abs(number(text, unit)) < 2**300
