"""No mask at all: each token is only ever compared with the tokens up to itself."""

import math

import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    weights = torch.zeros(B, h, T, T, dtype=q.dtype)
    for i in range(T):
        scores = (k[:, :, : i + 1] * q[:, :, i : i + 1]).sum(-1) / math.sqrt(d)
        weights[:, :, i, : i + 1] = scores.softmax(-1)
    return weights
