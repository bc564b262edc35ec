import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = torch.relu(q @ k.transpose(-2, -1) / hd ** 0.5) * torch.tril(torch.ones(T, T))
    return s / (s.sum(dim=-1, keepdim=True) + 1e-9)
