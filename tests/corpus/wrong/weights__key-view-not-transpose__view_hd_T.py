import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    kt = k.reshape(B, h, hd, T)
    scores = q @ kt / hd ** 0.5
    scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return torch.softmax(scores, dim=-1)
