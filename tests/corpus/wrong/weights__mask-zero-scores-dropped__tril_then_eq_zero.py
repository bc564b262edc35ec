import torch


def causal_attention_weights(q, k):
    s = torch.tril(torch.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5)
    s[s == 0] = -1e9
    return s.softmax(dim=-1)
