import torch
from torch.nn.functional import scaled_dot_product_attention


def causal_attention_weights(q, k):
    # each token's value is its own one-hot name, so the averages are the weights
    T = q.shape[2]
    names = torch.eye(T, dtype=q.dtype).expand(*q.shape[:2], T, T)
    return scaled_dot_product_attention(q, k, names, is_causal=True)
