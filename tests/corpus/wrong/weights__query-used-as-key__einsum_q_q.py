import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    att = torch.einsum("bhid,bhjd->bhij", q, q).mul(hd ** -0.5)
    keep = torch.arange(T)[:, None] >= torch.arange(T)
    return torch.where(keep, att, torch.tensor(-1e9, dtype=att.dtype)).softmax(-1)
