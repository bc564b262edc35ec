import torch
import torch.nn as nn
import torch.nn.functional as F


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) / hd ** 0.5
    s = F.softmax(s + torch.full((T, T), float("-inf")).triu(1), dim=-1)
    return nn.Softmax(dim=-1)(s)
