import torch
import torch.nn.functional as F


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    att = torch.einsum("bhqd,bhkd->bhqk", q, k)
    p = torch.arange(T)
    att = att.masked_fill(p[None, :] > p[:, None], -1e9)
    return F.softmax(att, dim=-1) * hd ** -0.5
