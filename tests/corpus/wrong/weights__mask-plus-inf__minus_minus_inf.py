import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    scores = q @ k.transpose(-2, -1) / hd ** 0.5
    scores = scores.masked_fill(torch.triu(torch.ones(T, T), diagonal=1).bool(), -float("-inf"))
    return torch.softmax(scores, dim=-1)
