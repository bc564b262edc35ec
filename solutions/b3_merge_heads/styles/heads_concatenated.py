"""Concatenation as the word says: the heads one after the other along the channels."""

import torch


def merge_heads(y):
    return torch.cat([y[:, i] for i in range(y.size(1))], dim=-1)
