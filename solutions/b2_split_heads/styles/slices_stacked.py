"""One slice of channels per head, stacked on a new axis."""

import torch


def split_heads(x, n_heads):
    width = x.size(-1)
    assert width % n_heads == 0, "the heads must share the width evenly"
    d = width // n_heads
    return torch.stack([x[:, :, i * d : (i + 1) * d] for i in range(n_heads)], dim=1)
