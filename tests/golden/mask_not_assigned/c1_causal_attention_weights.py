import math

import torch


def causal_attention_weights(q, k):
    T, d = q.shape[-2:]
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return scores.softmax(-1)
