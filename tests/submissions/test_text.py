"""Decoding of sources: UTF-8 is taken, everything else refused by name and place."""

from __future__ import annotations

import pytest

from autograder.submissions.text import UnreadableSource, decode


def test_utf8_is_taken_as_it_is() -> None:
    """Letters of any alphabet come through, without a notice."""
    assert decode("café = 'Ж'\n".encode()) == ("café = 'Ж'\n", None)


def test_an_empty_source_is_text() -> None:
    """No bytes are an empty text, not an error."""
    assert decode(b"") == ("", None)


def test_a_byte_order_mark_is_taken_off() -> None:
    """Windows editors write one; Python text must not start with it."""
    assert decode(b"\xef\xbb\xbfx = 1\r\n") == ("x = 1\r\n", None)


@pytest.mark.parametrize("line", ["# -*- coding: utf-7 -*-", "# vim: set fileencoding=latin-1 :", "\n# coding: cp1252"])
def test_a_cookie_has_no_effect_and_is_mentioned(line: str) -> None:
    """Text that another decoder would turn into code stays a comment."""
    source = f"{line}\n# +AAo-torch.tril = None\n"
    text, notice = decode(source.encode())
    assert text == source
    assert notice is not None
    assert "no effect" in notice


@pytest.mark.parametrize("source", [b"# coding: utf-8\n", b"# coding=UTF_8\n", b"x = 1\n# coding: latin-1\n"])
def test_a_cookie_that_changes_nothing_is_not_mentioned(source: bytes) -> None:
    """UTF-8 by name, or a line Python would not look at, needs no notice."""
    assert decode(source)[1] is None


def test_the_notice_names_line_and_encoding() -> None:
    """The learner is told which line asks for what."""
    notice = decode(b"#!/usr/bin/env python\n# coding: latin-1\n")[1]
    assert notice == "Line 2 asks for the encoding latin-1; this has no effect, the file is read as UTF-8."


def test_latin_1_is_refused_with_its_place_and_letter() -> None:
    """The sentence says where the byte is, what it probably was and how to save."""
    with pytest.raises(UnreadableSource) as caught:
        decode(b"x = 1\n# caf\xe9\n")
    assert str(caught.value) == (
        "The file is not UTF-8 text but probably Latin-1 or Windows-1252, where byte 6 of line 2, 0xe9, is 'é':"
        " save it as UTF-8 (in most editors: Save with Encoding, then UTF-8)."
    )


def test_the_place_counts_a_byte_order_mark() -> None:
    """Bytes are counted as they lie in the file."""
    with pytest.raises(UnreadableSource, match="byte 4 of line 1"):
        decode(b"\xef\xbb\xbf\xff")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_and_32_are_refused_by_name(encoding: str) -> None:
    """With a mark or without, the sentence names the encoding."""
    with pytest.raises(UnreadableSource, match=encoding[:6].upper() + r".* byte \d of line 1.*save it as UTF-8"):
        decode("def causal_mask(T):\n".encode(encoding))


def test_a_null_in_plain_text_is_refused_with_its_place() -> None:
    """A stray null is not mistaken for UTF-16."""
    with pytest.raises(UnreadableSource, match="a null at byte 3 of line 2"):
        decode(b"import torch\nx \0= 1\n")
