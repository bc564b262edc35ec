import torch
import torch.nn.functional as F


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    w = F.softmax(torch.einsum("bhqd,bhkd->bhqk", q, k) * hd ** -0.5, dim=-1)
    w = w.masked_fill(torch.ones(T, T).triu(1).bool(), 0.0)
    return F.normalize(w, p=1.0, dim=-1)
