import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = q @ k.transpose(-2, -1) / hd ** 0.5
    e = torch.exp(s) * torch.tril(torch.ones(T, T)).to(s)
    return e / e.sum(dim=-1, keepdim=True)
