import torch
import torch.nn.functional as F


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    _B, _T, C = x.shape
    d = C // n_heads
    o = []
    for h in range(n_heads):
        g = h * n_kv_heads // n_heads
        o.append(
            F.scaled_dot_product_attention(
                x @ wq[h * d : h * d + d].T, x @ wk[g * d : g * d + d].T, x @ wv[g * d : g * d + d].T, is_causal=True
            )
        )
    return torch.cat(o, -1) @ wo.T
