"""The rehearsal does what it is for: its files load, and its calls come back."""

from __future__ import annotations

import linecache
import os
import sys
from pathlib import Path

import pytest

from autograder.sandbox import wire, worker
from autograder.sandbox.rehearsal import FILE, questions, rehearse

EXPECTED = {
    "numpy": ["returned", "returned", "raised", "raised", "returned", "raised", "raised"],
    "torch": ["returned", *["returned", "raised", "raised", "returned"] * 2],
}


@pytest.mark.parametrize("library", EXPECTED)
def test_every_question_has_its_answer(library: str, tmp_path: Path) -> None:
    """What fails by mistake would rehearse nothing, and nobody would notice."""
    pytest.importorskip(library)
    asked, ask = os.pipe()
    os.write(ask, b"".join(next(questions([library]))))
    os.close(ask)
    with open(tmp_path / "answers", "w+b") as answers:
        worker.serve(asked, answers.fileno())
        os.close(asked)
        answers.seek(0)
        outcomes = []
        while header := answers.read(wire.HEADER.size):
            answer = wire.decode(answers.read(wire.payload_length(header)))
            assert isinstance(answer, dict)
            outcomes.append(answer["outcome"])
    assert outcomes == EXPECTED[library]


def test_nothing_is_left_by_name() -> None:
    """No learner meets the rehearsal's module or its source."""
    rehearse(["numpy"])
    assert "submission" not in sys.modules
    assert FILE not in linecache.cache
