"""Intake: what learners hand in becomes `Upload`s, as bytes in memory. Nothing is executed and nothing is extracted."""

from autograder.submissions.errors import IntakeError
from autograder.submissions.intake import collect, of_one, read_source

__all__ = ["IntakeError", "collect", "of_one", "read_source"]
