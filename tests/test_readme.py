"""What README.md shows first is what a learner is told."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.conftest import ROOT, Run

LOST = """import torch

def causal_attention_weights(q, k):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), float("-inf"))
    return scores.softmax(-1)
"""


def test_the_message_at_the_top(tmp_path: Path, headcount: Run) -> None:
    """Word by word, line by line."""
    for name in ("exercises", "solutions"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "course.yaml", tmp_path)
    (tmp_path / "exercises" / "c1_causal_attention_weights.py").write_text(LOST)
    shown = (ROOT / "README.md").read_text("utf-8").partition("$ headcount check c1\n")[2].partition("```")[0]
    assert shown
    assert shown in headcount("check", "c1", cwd=tmp_path).stdout
