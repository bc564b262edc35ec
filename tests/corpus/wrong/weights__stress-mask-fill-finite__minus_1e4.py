import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = q @ k.transpose(-2, -1) / hd ** 0.5
    extended = (1.0 - torch.tril(torch.ones(T, T)).to(s)) * -10000.0
    return torch.softmax(s + extended, dim=-1)
