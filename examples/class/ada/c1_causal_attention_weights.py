import torch


def causal_attention_weights(q, k):
    T, d = q.shape[-2:]
    scores = torch.einsum("bhid,bhjd->bhij", q, k) * d**-0.5
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return scores.masked_fill(future, float("-inf")).softmax(-1)
