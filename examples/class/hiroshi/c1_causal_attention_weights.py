import torch
import torch.nn.functional as F


def causal_attention_weights(q, k):
    T = q.size(2)
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    scores = scores + torch.full((T, T), float("-inf"), dtype=scores.dtype).triu(1)
    return F.softmax(scores, dim=2)
