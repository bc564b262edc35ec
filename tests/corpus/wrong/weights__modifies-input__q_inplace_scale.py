import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    q *= hd ** -0.5
    s = (q @ k.transpose(-2, -1)).masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return torch.softmax(s, dim=-1)
