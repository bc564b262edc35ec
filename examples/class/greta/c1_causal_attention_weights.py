import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    scores = torch.matmul(q, k.transpose(2, 3)) / d
    mask = torch.tril(torch.ones(T, T)).bool()
    scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1)
