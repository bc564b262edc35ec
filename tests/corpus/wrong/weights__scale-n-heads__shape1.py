import math

import torch


def causal_attention_weights(q, k):
    _, d, T, _ = q.shape
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(d))
    att = att + torch.full((T, T), float("-inf")).triu(1)
    return torch.softmax(att, -1)
