"""What is told of a source before it runs."""

from __future__ import annotations

import pytest

from autograder.sandbox.reading import could_say, imports_torch


@pytest.mark.parametrize(
    "source",
    ["import torch.nn as nn", "from torch import nn", "def f():\n    import numpy, torch", "import \uff54orch"],
    ids=["a part of it", "a name of it", "in a function", "in full-width letters"],
)
def test_imports_torch(source: str) -> None:
    """Whatever way a file comes to torch, it works with tensors."""
    assert imports_torch(source, "a1_causal_mask.py")


@pytest.mark.parametrize(
    "source", ["import numpy as np", "import numpy  # not torch", "x = 'torch'", "import torchlike"]
)
def test_does_not_import_torch(source: str) -> None:
    """A file that speaks of torch does not work with it."""
    assert not imports_torch(source, "a1_causal_mask.py")


def test_words_in_disguise_are_looked_for() -> None:
    """A text that can spell a word in another way is not passed over; one that cannot is."""
    assert could_say("getattr(F, 'soft\\x6dax')", ["softmax"])
    assert could_say("F.\uff53oftmax", ["softmax"])
    assert not could_say("F.relu", ["softmax"])
