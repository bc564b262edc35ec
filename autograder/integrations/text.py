"""Text that somebody else wrote, made safe to hand on: a learner's name, a message that quotes their code."""

from __future__ import annotations

import re
import unicodedata

#: Kept as they are; every format can hold them.
LAYOUT = "\n\t"
#: Marks that turn the direction of writing, and with it the meaning of what a person sees.
TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
NONCHARACTERS = "\ufffe\uffff"
_UNUSUAL = re.compile(r"[^\x20-\x7e]")
#: Longer than any message of ours; what is cut can be read in results.jsonl.
MOST = 2000


def plain(text: str) -> str:
    """The text with control characters, direction marks and halves of characters written out, as in ``\\x1b``.

    Written out and not left out: two different names stay different, and a person sees that something is odd.
    """
    return _UNUSUAL.sub(lambda found: found[0] if _harmless(found[0]) else _written_out(found[0]), text)


def message(text: str, most: int = MOST) -> str:
    """A message as `plain` text of bearable length."""
    short = text if len(text) <= most else f"{text[:most]}... ({len(text) - most} characters more)"
    return plain(short)


def number(points: float) -> str:
    """Points as a gradebook reads them: no exponent, no trailing zeros."""
    return f"{points:.4f}".rstrip("0").rstrip(".")


def _harmless(letter: str) -> bool:
    if letter in LAYOUT:
        return True
    return unicodedata.category(letter) not in ("Cc", "Cs") and letter not in TURNING and letter not in NONCHARACTERS


def _written_out(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
