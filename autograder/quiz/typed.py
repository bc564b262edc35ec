"""Letters, lists, shapes and orders as people type them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from autograder.quiz.arithmetic import number, plain_signs
from autograder.quiz.refused import Refused, quoted

LETTERS = "abcdefghij"
_BRACKETS = str.maketrans("[](){}", " " * 6)
#: `tuple(...)`, `torch.Size(...)`, `array(...)`: what Python prints around the list that is meant.
_CALL = re.compile(r"[A-Za-z_.]+\s*\((.*)\)")
_MOST = 200


def letters(text: str, choices: Sequence[str]) -> tuple[int, ...]:
    """Which choices a text names, as their places: "b", "(b)", "a, c", "ac", "a and c", or a choice's own words.

    Raises Refused for anything else.
    """
    line = " ".join(text.split()).casefold()
    words = [" ".join(choice.split()).casefold() for choice in choices]
    for place, (letter, word) in enumerate(zip(LETTERS, words, strict=False)):
        if line in (word, f"{letter}) {word}", f"{letter}: {word}", f"{letter}. {word}"):
            return (place,)
    parts = re.sub(r"\band\b|[^\w]+", " ", line).split()
    if len(parts) == 1:
        parts = list(parts[0])
    known = LETTERS[: len(choices)]
    if not parts or any(part not in known or len(part) != 1 for part in parts):
        raise Refused(f"{quoted(text)} names none of the choices; type letters from a to {known[-1]}")
    if len(set(parts)) < len(parts):
        raise Refused(f"{quoted(text)} names a choice twice; type each letter once")
    return tuple(known.index(part) for part in parts)


def numbers(text: str) -> tuple[Fraction, ...]:
    """A list of numbers: [1, 2], (1, 2), "1 2", [[0, 1], [4, 5]] read row by row. Raises Refused for anything else."""
    return tuple(number(item) for item in _items(text, r"[,;]"))


def shape(text: str, names: Mapping[str, str]) -> tuple[int | str, ...]:
    """A shape: (2, 12, 5, 64), [2, 12, 5, 64], 2x12x5x64, (B, h, T, d); `names` maps each way to write an axis to one.

    Raises Refused for anything that is neither a whole number nor one of the names.
    """
    return tuple(_axis(item, names) for item in _items(text, r"[,;]", r"[x*]"))


def order(text: str, count: int) -> tuple[int, ...]:
    """All of `count` letters in some order: "b, a, c", "bac", "b > a > c". Raises Refused where one is missing."""
    known = LETTERS[:count]
    line = text.casefold()
    found = [known.find(letter) for letter in line if letter.isalnum()]
    if sorted(found) != list(range(count)) or "<" in line:
        raise Refused(f"{quoted(text)} is no order of the letters a to {known[-1]}; type each once, first to last")
    return tuple(found)


def _items(text: str, *separators: str) -> list[str]:
    """The items between the first kind of separator that is there, or else between spaces."""
    line = plain_signs(text)
    if found := _CALL.fullmatch(line):
        line = found[1]
    line = line.translate(_BRACKETS).strip()
    for separator in separators:
        if re.search(separator, line):
            items = [item.strip() for item in re.split(separator, line)]
            items = items[:-1] if not items[-1] else items  # as in (5,)
            break
    else:
        items = line.split()
    if not items and not re.fullmatch(r"\s*[\[(]\s*[\])]\s*", text):
        raise Refused(f"{quoted(text)} holds nothing; type it as in [1, 2]")
    if len(items) > _MOST:
        raise Refused(f"is a list of {len(items)} items, which is far too long")
    return items


def axis_name(word: str) -> str:
    """One way to write an axis, as its names are looked up: 3*C and C*3 are 3C. Of letters a product keeps its star,
    since hd is not h*d in every code base.
    """
    plain = re.sub(r"\s", "", word).casefold()
    return re.sub(r"(?<=[0-9])\*", "", re.sub(r"^([a-z])\*([0-9]+)$", r"\2\1", plain))


def _axis(item: str, names: Mapping[str, str]) -> int | str:
    if re.fullmatch(r"[0-9]{1,12}(\.0*)?", item):
        return int(item.partition(".")[0])
    name = names.get(axis_name(item))
    if name is None:
        example = ", ".join(list(dict.fromkeys(names.values()))[:2] or "23")
        raise Refused(f"{quoted(item)} is no size of an axis here; type one for each, as in ({example})")
    return name
