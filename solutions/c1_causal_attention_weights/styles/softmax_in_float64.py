"""Wider numbers on the way, the lowest finite one for the future, and back to the dtype of q at the end."""

import torch


def causal_attention_weights(q, k):
    T, d = q.shape[-2:]
    position = torch.arange(T)
    may_look = position[:, None] >= position[None, :]
    scores = torch.matmul(q.double(), k.double().transpose(-1, -2)) / d**0.5
    scores = torch.where(may_look, scores, torch.finfo(scores.dtype).min)
    return scores.softmax(-1).to(q.dtype)
