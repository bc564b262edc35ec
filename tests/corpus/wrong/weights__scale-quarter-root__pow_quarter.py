import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = torch.einsum("bhid,bhjd->bhij", q, k) * hd ** -0.25
    return s.masked_fill(torch.ones(T, T).triu(1).bool(), -1e9).softmax(-1)
