"""What every room may raise."""

from __future__ import annotations


class HeadcountError(Exception):
    """Raised for what a person has to mend; its text says in one line what, where and how."""
