import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = q @ k.transpose(-2, -1) / hd ** 0.5
    s = s.masked_fill(torch.triu(torch.ones(T, T), diagonal=0).bool(), float("-inf"))
    return torch.softmax(s, dim=-1)
