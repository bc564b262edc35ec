import torch


def split_heads(x, n_heads):
    C = x.shape[2]
    # one selection matrix per head: column e of head h picks channel h * d + e
    pick = torch.eye(C, dtype=x.dtype).reshape(C, n_heads, C // n_heads)
    return torch.einsum("btc,chd->bhtd", x, pick)
