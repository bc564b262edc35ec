"""A learner's own file on their own machine."""

from __future__ import annotations

from pathlib import Path

from autograder.submissions import files, member, names
from autograder.submissions.errors import IntakeError, Refusal


def read_source(path: Path, origin: str) -> bytes:
    """One exercise file on its author's own machine, within the limits of a handed-in one.

    Raises IntakeError where it cannot be read, is too large or no ordinary file.
    """
    if not path.exists():
        again = f"`headcount reset {names.exercise(path.name)}` writes the one in exercises/ anew"
        raise IntakeError(f"{origin} is not there; {again}")
    try:
        return files.read(path.resolve(), origin, member.SOURCE)
    except Refusal as refusal:
        raise IntakeError(f"{refusal}") from None
