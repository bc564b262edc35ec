import torch


def causal_attention_weights(q, k):
    T, d = q.shape[-2:]
    q /= d**0.5
    scores = q @ k.transpose(-2, -1)
    scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return torch.softmax(scores, dim=-1)
