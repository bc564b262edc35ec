import torch
import torch.nn.functional as F


def causal_attention_weights(q, k):
    B, h, T, _ = q.shape
    mask = torch.tril(torch.ones(T, T)).to(q)
    eye = torch.eye(T).to(q).expand(B, h, T, T)
    return F.scaled_dot_product_attention(q, k, eye, attn_mask=mask)
