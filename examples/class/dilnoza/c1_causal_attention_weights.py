import math

import torch


def causal_attention_weights(q, k):
    T, d_head = q.shape[2], q.shape[3]
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)  # (B, h, T, T)
    mask = torch.triu(torch.ones(T, T), diagonal=1).bool()
    scores = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores, dim=-1)
