import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    mask = torch.tril(torch.ones(T, T))
    scores = q @ k.transpose(-2, -1) / hd ** 0.5
    scores = scores * mask + (1 - mask) * float("-inf")
    return torch.softmax(scores, dim=-1)
