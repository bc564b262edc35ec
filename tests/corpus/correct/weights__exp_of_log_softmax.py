import math

import torch
import torch.nn.functional as F


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    s = q @ k.mT / math.sqrt(d)
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
    return F.log_softmax(s, -1).exp()
