import math

import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    s = (q.double() @ k.double().mT) / math.sqrt(d)
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
    return s.softmax(-1).to(q.dtype)
