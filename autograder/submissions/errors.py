"""The two ways in which intake says no: to the whole class folder, or to one upload."""

from __future__ import annotations

from autograder.errors import HeadcountError


class IntakeError(HeadcountError):
    """Raised by ``collect`` when the given path is missing or holds no upload. The text is one line for a person."""


class Refusal(Exception):
    """Raised while one upload is read; its text becomes ``Upload.refused``. Never leaves this package."""
