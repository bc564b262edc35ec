import torch


def causal_attention_weights(q, k):
    T = q.size(-2)
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    mask = torch.tril(torch.ones(T, T))
    scores = scores.masked_fill(mask == 0, 1e-9)
    return torch.softmax(scores, dim=-1)
