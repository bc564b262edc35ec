import math
import torch


def causal_attention_weights(q, k):
    T, d = q.shape[-2:]
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -7.0)
    return s.softmax(-1)
