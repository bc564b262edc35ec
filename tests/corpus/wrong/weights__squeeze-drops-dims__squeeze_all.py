import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = (q.unsqueeze(-2) @ k.unsqueeze(2).transpose(-2, -1)).squeeze() / hd ** 0.5
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return torch.softmax(s, dim=-1)
