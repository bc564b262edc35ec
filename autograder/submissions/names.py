"""File names as people write them: which to skip, which are unsafe, and what a nearly right one was meant to be."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Sequence

from autograder.submissions.errors import Refusal

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
NOTEBOOK = ".ipynb"
TEXT = ".md"
SOURCES = (".py", ".yaml", ".yml", TEXT)
#: Archives that are turned away by name: a person who packed one has to hear of it.
FOREIGN_ARCHIVES = (".rar", ".7z", ".tar.xz", ".txz", ".tar.bz2", ".tbz", ".tbz2", ".tar.zst", ".zipx")

#: Characters of a path. Unicode form NFC takes the square of that in time, and an archive has room for millions.
_LONGEST = 1000
_JUNK = {"__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini", "Icon\r"}
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}

_SMALL_LOOK_ALIKES = {
    "\N{CYRILLIC SMALL LETTER A}": "a",
    "\N{CYRILLIC SMALL LETTER IE}": "e",
    "\N{CYRILLIC SMALL LETTER O}": "o",
    "\N{CYRILLIC SMALL LETTER ER}": "p",
    "\N{CYRILLIC SMALL LETTER ES}": "c",
    "\N{CYRILLIC SMALL LETTER U}": "y",
    "\N{CYRILLIC SMALL LETTER HA}": "x",
    "\N{CYRILLIC SMALL LETTER DZE}": "s",
    "\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}": "i",
    "\N{CYRILLIC SMALL LETTER JE}": "j",
    "\N{CYRILLIC SMALL LETTER SHHA}": "h",
    "\N{CYRILLIC SMALL LETTER KOMI DE}": "d",
    "\N{CYRILLIC SMALL LETTER PALOCHKA}": "l",
    "\N{CYRILLIC SMALL LETTER QA}": "q",
    "\N{CYRILLIC SMALL LETTER WE}": "w",
    "\N{CYRILLIC SMALL LETTER KA}": "k",
    "\N{CYRILLIC SMALL LETTER EM}": "m",
    "\N{CYRILLIC SMALL LETTER TE}": "t",
    "\N{GREEK SMALL LETTER ALPHA}": "a",
    "\N{GREEK SMALL LETTER OMICRON}": "o",
    "\N{GREEK SMALL LETTER NU}": "v",
    "\N{GREEK SMALL LETTER KAPPA}": "k",
    "\N{GREEK SMALL LETTER RHO}": "p",
    "\N{GREEK SMALL LETTER IOTA}": "i",
    "\N{LATIN SMALL LETTER DOTLESS I}": "i",
    "\N{LATIN SMALL LETTER ALPHA}": "a",
}
_LOOK_ALIKES = str.maketrans(
    _SMALL_LOOK_ALIKES | {letter.upper(): latin.upper() for letter, latin in _SMALL_LOOK_ALIKES.items()}
)


def hidden(path: str) -> bool:
    """Whether a path belongs to what systems leave behind (.DS_Store, __MACOSX, checkpoints), which nobody hands in."""
    return any(part.startswith(".") or part in _JUNK for part in path.split("/"))


def shown(text: str) -> str:
    """``text`` fit for a message: unseen characters escaped, at most 80 characters."""
    seen = _escaped(text)
    return seen if len(seen) <= 80 else f"{seen[:50]}...{seen[-27:]}"


def listed(names: Sequence[str]) -> str:
    """The first five names and how many more there are."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def visible(name: str, where: str) -> str:
    """``name`` in Unicode form NFC. Raises Refusal if it holds a character that cannot be seen."""
    for c in name:
        if unicodedata.category(c) in _UNSEEN:
            if unicodedata.category(c) == "Cs":  # how Python writes a byte that is no text
                raise Refusal(f"{where}: the name '{shown(name)}' is not UTF-8 text: rename it")
            character = unicodedata.name(c, "a control character")
            raise Refusal(
                f"{where}: the name '{shown(name)}' holds a character that cannot be seen"
                f" (U+{ord(c):04X}, {character}): rename it"
            )
    return unicodedata.normalize("NFC", name)


def inside(raw: str, archive: str) -> str:
    """The path of an archive's entry, with ``/`` between folders and in form NFC; hidden ones come back unchecked.

    Raises Refusal for a path that leads out of the archive, is too long or holds characters that cannot be seen.
    """
    if len(raw) > _LONGEST:
        raise Refusal(f"{archive}: the path '{shown(raw)}' has more than {_LONGEST:,} characters: shorten it")
    path = raw.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or re.match("[A-Za-z]:", path) or ".." in parts:
        raise Refusal(f"{archive}: the path '{shown(raw)}' leads out of the archive: pack the files again, without it")
    path = "/".join(parts)
    return path if hidden(path) else visible(path, archive)


def learner(name: str) -> str:
    """The learner's id that a top-level name stands for: ``smith`` for ``smith``, ``smith.tar.gz``, ``smith.ipynb``."""
    suffix = next((s for s in (*ARCHIVES, *FOREIGN_ARCHIVES, NOTEBOOK) if is_a(name, s)), "")
    return _escaped(unicodedata.normalize("NFC", name[: len(name) - len(suffix)]))


def exercise(file: str) -> str:
    """The exercise that a source of this name is for."""
    return file.rpartition(".")[0]


def in_full(file: str) -> str:
    """``file`` with the ending that sources have here: people write both ``.yaml`` and ``.yml``."""
    return f"{file[:-4]}.yaml" if file.endswith(".yml") else file


def is_a(name: str, *suffixes: str) -> bool:
    """Whether ``name`` ends with one of ``suffixes`` in any case."""
    return name.lower().endswith(suffixes)


def meant(name: str, missing: Collection[str]) -> str | None:
    """What to say about a file that was not taken, if its name is nearly that of a ``missing`` file; else None."""
    plain = _plain(name)
    stem, _, rest = plain.partition(".")
    files = {exercise(file): file for file in sorted(missing)}
    parts = [each for each in files if stem.lower().endswith(f"_{each}") or each.startswith(f"{stem.lower()}_")]
    close = difflib.get_close_matches(stem.lower(), files, n=1, cutoff=0.8) or parts[: len(parts) == 1]
    near = [files[found] for found in close]
    question = f": did you mean {near[0]}?" if near else ""
    # a name wholly in another alphabet is a word of that language
    mixed = plain != name and plain.isascii() and re.search("[A-Za-z]", name.partition(".")[0])
    if f".{rest.lower()}" in SOURCES and (mixed or (near and plain != name)):
        return f"{shown(name)} is spelt with {_foreign_letters(name)}{question}"
    if not near:
        return None
    if in_full(plain.lower()) == near[0] != plain:
        return f"{shown(name)} differs from {near[0]} in upper and lower case{question}"
    return f"{shown(name)} is not a name the course knows{question}"


def _escaped(text: str) -> str:
    return "".join(c.encode("unicode_escape").decode() if unicodedata.category(c) in _UNSEEN else c for c in text)


def _plain(text: str) -> str:
    """``text`` with every letter that looks like a Latin one replaced by that one."""
    return unicodedata.normalize("NFKC", text).translate(_LOOK_ALIKES)


def _foreign_letters(name: str) -> str:
    letters = dict.fromkeys(c for c in name if _plain(c) != c)
    return " and ".join(
        f"U+{ord(c):04X} {unicodedata.name(c, '')}, which only looks like '{_plain(c)}'" for c in letters
    )
