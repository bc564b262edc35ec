import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    scores = q @ k.transpose(1, 2) / hd ** 0.5
    scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return torch.softmax(scores, dim=-1)
