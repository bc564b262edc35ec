import math

import torch


def causal_attention_weights(q, k):
    T = q.shape[-2]
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    mask = torch.triu(torch.ones(T, T), diagonal=1).bool()
    scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores, dim=-1)
