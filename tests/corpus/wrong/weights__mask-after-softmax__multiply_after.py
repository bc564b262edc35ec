import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    att = (q @ k.transpose(-2, -1) / hd ** 0.5).softmax(dim=-1)
    return att * torch.tril(torch.ones(T, T))
