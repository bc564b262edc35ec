import math

import torch


def causal_attention_weights(q, k):
    d_k = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
    T = scores.size(-1)
    mask = torch.tril(torch.ones(T, T, device=scores.device)).unsqueeze(0).unsqueeze(0)
    scores = scores.masked_fill(mask == 0, -1e9)
    return torch.softmax(scores, dim=-1)
