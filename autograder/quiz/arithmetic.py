"""Numbers as people type them, read without eval: 768, 1,234, 2^10, 12*64, 1/6, 98.8%, 36 MiB."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from autograder.quiz.refused import Refused, quoted

#: What a number may be followed by, and what it is multiplied with then, for each unit that a question may ask in.
UNITS: Mapping[str, Mapping[str, Fraction]] = {
    "": {
        "": Fraction(1), "x": Fraction(1), "times": Fraction(1), "%": Fraction(1, 100),
        "k": Fraction(1000), "m": Fraction(10**6), "million": Fraction(10**6),
    },
    "%": {"": Fraction(1, 100), "%": Fraction(1, 100), "percent": Fraction(1, 100)},
    "bytes": {
        "": Fraction(1), "byte": Fraction(1), "bytes": Fraction(1), "b": Fraction(1),
        "kb": Fraction(10**3), "mb": Fraction(10**6), "gb": Fraction(10**9), "tb": Fraction(10**12),
        "kib": Fraction(2**10), "mib": Fraction(2**20), "gib": Fraction(2**30), "tib": Fraction(2**40),
    },
}  # fmt: skip
EXAMPLES = {"": "768, 1,234, 2^10 or 12*64", "%": "98.8 or 98.8%", "bytes": "37748736 or 36 MiB"}

_LONGEST = 120
_DEEPEST = 10
_BITS = 256  # of a numerator or denominator: no question needs more, and powers of powers grow without end

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:[_' ][0-9]{3})*)(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?"
    r"|\.[0-9]+(?:[eE][+-]?[0-9]{1,3})?)|(?P<sign>\*\*|[-+*/^()])|(?P<word>[A-Za-z]+|%))"
)
#: Signs that mean the same: of multiplication, of subtraction, and the wide forms of an Asian keyboard.
_ALIKE = {ord("×"): "*", ord("·"): "*", ord("−"): "-", ord("–"): "-", ord("\N{NO-BREAK SPACE}"): " "}
_ALIKE |= {ord("²"): "^2", ord("³"): "^3"}
_ALIKE |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}


def plain_signs(text: str) -> str:
    """The text with × as *, the several dashes as -, and full-width characters in their ordinary form."""
    return " ".join(text.translate(_ALIKE).split())


def number(text: str, unit: str = "") -> Fraction:
    """The number a text says, exactly, in the base of its unit (36 MiB is 37748736, 98.8% is 0.988).

    Raises Refused, with what to type instead, for anything else.
    """
    text = plain_signs(text.strip().strip("×"))  # as a factor is written, ×12 or 12×
    if len(text) > _LONGEST or text.count("(") > _DEEPEST:
        raise Refused("is too long for a number; type the number alone")
    if re.fullmatch(r"[-+]?[0-9]+,[0-9]+", text) and not re.fullmatch(r"[-+]?[0-9]{1,3},[0-9]{3}", text):
        raise Refused(f"{quoted(text)} has a comma in it; type {text.replace(',', '.')} for a decimal")
    if text[:2] in ("0x", "0X"):  # else it would be nought times something
        raise Refused(f"{quoted(text)} is hexadecimal; type the number in decimal digits")
    return _Reader(text, unit).read()


class _Reader:
    """Reads sums of products of powers, one level of the grammar a method."""

    def __init__(self, text: str, unit: str) -> None:
        self.text, self.unit = text, unit
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            found = _TOKEN.match(text, at)
            if found is None:
                raise self._refusal()
            kind = found.lastgroup or ""
            self.tokens.append((kind, found[kind]))
            at = found.end()
        self.tokens.append(("end", ""))
        self.next = 0

    def read(self) -> Fraction:
        value = self._sum()
        word = self._take("word") or ""
        factor = UNITS[self.unit].get(word.lower())
        if factor is None or self.tokens[self.next][0] != "end":
            raise self._refusal()
        return value * factor

    def _sum(self) -> Fraction:
        value = self._product()
        while sign := self._sign("+", "-"):
            other = self._product()
            value = self._bounded(value + other if sign == "+" else value - other)
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while sign := self._sign("*", "/") or self._times():
            other = self._signed()
            if sign == "/" and not other:
                raise Refused(f"{quoted(self.text)} divides by zero; type a number")
            value = self._bounded(value / other if sign == "/" else value * other)
        return value

    def _times(self) -> str | None:
        """An x between two numbers."""
        here, after = self.tokens[self.next], self.tokens[min(self.next + 1, len(self.tokens) - 1)]
        if here == ("word", "x") and after[0] in ("number", "sign"):
            self.next += 1
            return "*"
        return None

    def _signed(self) -> Fraction:
        if sign := self._sign("-", "+"):
            return -self._signed() if sign == "-" else self._signed()
        base = self._atom()
        if not self._sign("^", "**"):
            return base
        power = self._signed()
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if power.denominator != 1 or abs(power) * bits > _BITS or (not base and power < 0):
            raise Refused(f"{quoted(self.text)} has a power that cannot be worked out; type the number")
        return base ** int(power)

    def _atom(self) -> Fraction:
        if self._sign("("):
            value = self._sum()
            if not self._sign(")"):
                raise self._refusal()
            return value
        digits = self._take("number")
        if digits is None:
            raise self._refusal()
        return self._bounded(Fraction(re.sub(r"[,_' ]", "", digits).removesuffix(".")))

    def _take(self, kind: str) -> str | None:
        found, text = self.tokens[self.next]
        if found != kind:
            return None
        self.next += 1
        return text

    def _sign(self, *signs: str) -> str | None:
        return self._take("sign") if self.tokens[self.next][1] in signs else None

    def _bounded(self, value: Fraction) -> Fraction:
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _BITS:
            raise Refused(f"{quoted(self.text)} is far too large; type the number")
        return value

    def _refusal(self) -> Refused:
        asked = {"": "a number", "%": "a percentage", "bytes": "a number of bytes"}[self.unit]
        return Refused(f"{quoted(self.text)} is not {asked}; type it as in {EXAMPLES[self.unit]}")
