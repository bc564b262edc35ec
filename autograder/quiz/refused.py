"""What is said to an answer that cannot be read."""

from __future__ import annotations


class Refused(Exception):
    """Raised where a typed answer is none of its kind. The text says what was typed and what to type instead."""


def quoted(text: str, most: int = 40) -> str:
    """Typed text as a message may show it: one printable line of bearable length, in quotes."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return f"'{line}'" if len(line) <= most else f"'{line[:most]}...'"
