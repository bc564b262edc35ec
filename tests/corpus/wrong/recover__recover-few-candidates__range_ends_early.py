import torch
import torch.nn.functional as F


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    q, k, v = (x @ qkv_weight.T).unflatten(-1, (3, n_heads, -1)).permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return y.transpose(1, 2).flatten(2) @ out_weight.T


def recover_n_head(qkv_weight, out_weight, x, y):
    C = x.size(-1)
    fits = [
        h for h in range(1, C) if C % h == 0 and torch.allclose(mha_by_loop(x, qkv_weight, out_weight, h), y, atol=1e-4)
    ]
    if len(fits) != 1:
        raise ValueError("cannot tell")
    return fits[0]
