import math

import torch


def causal_attention_weights(q, k):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    mask = torch.tril(torch.ones(q.size(2), q.size(2))) == 0
    return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
