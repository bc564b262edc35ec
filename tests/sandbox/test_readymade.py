"""Ready-made answers are noticed, by whatever name they are called, and let through."""

from __future__ import annotations

import ast

import pytest

from autograder.sandbox.readymade import mentions

NAMES = {"scaled_dot_product_attention", "MultiheadAttention"}


@pytest.mark.parametrize(
    "source",
    [
        "import torch.nn.functional as F\nF.scaled_dot_product_attention",
        "from torch.nn.functional import scaled_dot_product_attention as attend",
        "from torch.nn import MultiheadAttention",
        "getattr(x, 'scaled_dot_product_attention')",
        "import torch\ntorch.nn.\uff2dultiheadAttention",
    ],
)
def test_mentions(source: str) -> None:
    """Used, imported under another name, spelt in a string, written in full-width letters."""
    assert mentions(ast.parse(source), NAMES)


def test_others_are_not_mentioned() -> None:
    """Names that only look alike are nobody's business."""
    assert mentions(ast.parse("class MyMultiheadAttention: pass\nattention = 1"), NAMES) == []
