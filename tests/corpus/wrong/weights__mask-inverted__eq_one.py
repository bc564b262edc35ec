import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    att = q @ k.transpose(-2, -1) * hd ** -0.5
    tril = torch.tril(torch.ones(T, T))
    att = att.masked_fill(tril == 1, -1e9)
    return att.softmax(dim=-1)
