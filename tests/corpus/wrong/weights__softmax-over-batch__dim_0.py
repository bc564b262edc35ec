import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = (q @ k.transpose(-2, -1)) / hd ** 0.5
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -1e9)
    return torch.softmax(s, 0)
