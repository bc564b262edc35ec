import math

import torch


def causal_attention_weights(q, k):
    scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(q.size(-1))
    mask = torch.triu(torch.ones_like(scores[0, 0], dtype=torch.bool), diagonal=1)
    return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
