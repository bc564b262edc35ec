import torch


def causal_attention_weights(q, k):
    n = q.size(-2)
    logits = torch.einsum("bhid,bhjd->bhij", q, k) * n ** -0.5
    return (logits + torch.full((n, n), float("-inf")).triu(1)).softmax(dim=-1)
