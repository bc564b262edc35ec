import math

import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    s = q @ k.mT / math.sqrt(d)
    s = s / 0
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return s.softmax(-1)
