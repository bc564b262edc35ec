import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    s = (q * d**-0.25) @ (k * d**-0.25).transpose(-2, -1)
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
    return s.softmax(dim=-1)
