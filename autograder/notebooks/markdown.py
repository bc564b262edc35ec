"""Plain text of lessons and questions as Markdown: paragraphs as paragraphs, tables and examples as they are."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

_CODE = re.compile(r"(`[^`\n]+`)")
_SPECIAL = re.compile(r"([\\*_<$])")
_COLUMNS = re.compile(r"\S {2,}\S")


def prose(text: str) -> str:
    """Text in which nothing is taken for markup, except what stands between backticks."""
    parts = _CODE.split(text)
    return "".join(part if at % 2 else _SPECIAL.sub(r"\\\1", part) for at, part in enumerate(parts))


def lesson(text: str) -> str:
    """A lesson: a line with indented lines below it becomes a heading, what is below it its section."""
    return "\n\n".join(_sections(text.splitlines()))


def without_title(text: str, title: str) -> str:
    """A lesson whose first line may say the title once more, without that line."""
    first, _, rest = text.partition("\n")
    return (rest if title.casefold() in first.casefold() else text).strip()


def paragraphs(text: str) -> Iterator[str]:
    """Each paragraph of a text as Markdown: prose, a piece of Python, or lines whose columns have to stay."""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = textwrap.dedent(block).rstrip()
        if lines.startswith(">>> "):
            yield f"```python\n{lines}\n```"
        elif "\n " in lines or _COLUMNS.search(lines):
            yield f"```text\n{lines}\n```"
        elif lines:
            yield prose(lines)


def _sections(lines: list[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        if not lines[at].startswith(" ") and at + 1 < len(lines) and lines[at + 1].startswith("    "):
            yield f"### {prose(lines[at].strip())}"
            at += 1
        end = at
        indented = lines[at].startswith(" ")
        while end < len(lines) and (not lines[end].strip() or lines[end].startswith(" ") == indented):
            if not indented and end + 1 < len(lines) and lines[end + 1].startswith("    ") and lines[end].strip():
                break
            end += 1
        yield from paragraphs("\n".join(lines[at:end]))
        at = max(end, at + 1)
