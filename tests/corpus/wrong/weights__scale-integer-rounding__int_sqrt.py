import math

import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    scores = q @ k.transpose(-2, -1) / int(math.sqrt(hd))
    scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return torch.softmax(scores, dim=-1)
