import torch
from torch import nn


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    soft = nn.Softmax(dim=1)
    s = torch.matmul(q, k.transpose(-2, -1)) / hd ** 0.5
    s = s.masked_fill(torch.triu(torch.ones(T, T), diagonal=1).bool(), -1e9)
    return soft(s)
