import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    i = torch.arange(T)
    keep = i[None, :] >= i[:, None]
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) / hd ** 0.5
    return s.masked_fill(~keep, -1e9).softmax(dim=-1)
