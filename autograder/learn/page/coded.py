"""Sentences of the engine as HTML: what stands between backticks is code, everything else is text."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`\n]+)`")


def coded(text: str) -> Markup:
    """The sentence, escaped, whatever a learner's file has put into it."""
    parts = enumerate(_CODE.split(text))
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else escape(part) for at, part in parts)
