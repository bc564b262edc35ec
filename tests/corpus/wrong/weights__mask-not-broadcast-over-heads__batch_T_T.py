import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    mask = torch.tril(torch.ones(T, T)).expand(B, T, T)
    scores = q @ k.transpose(-2, -1) / hd ** 0.5
    scores = scores.masked_fill(mask == 0, float("-inf"))
    return torch.softmax(scores, dim=-1)
