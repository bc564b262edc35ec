import math

import torch


def causal_attention_weights(q, k):
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
    T = scores.shape[-1]
    ahead = torch.arange(T)[:, None] < torch.arange(T)
    return torch.where(ahead, scores.new_tensor(-1e5), scores).softmax(dim=-1)
