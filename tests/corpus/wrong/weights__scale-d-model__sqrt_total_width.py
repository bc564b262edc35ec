import math

import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    d_model = h * hd
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_model)
    scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return torch.softmax(scores, dim=-1)
