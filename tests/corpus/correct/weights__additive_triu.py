import torch
import torch.nn.functional as F


def causal_attention_weights(q, k):
    T, d = q.shape[-2:]
    bias = torch.triu(torch.full((T, T), float("-inf"), dtype=q.dtype, device=q.device), diagonal=1)
    return F.softmax(q @ k.mT / d ** 0.5 + bias, dim=-1)
