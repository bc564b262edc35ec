import torch
from torch import nn


def causal_attention_weights(q, k):
    T = q.shape[2]
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[3] ** -0.5
    scores = torch.where(torch.ones(T, T).tril() > 0, scores, torch.tensor(float("-inf"), dtype=scores.dtype))
    return nn.Softmax(dim=2)(scores)
