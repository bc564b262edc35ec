import torch.nn.functional as F


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    if n_heads % n_kv_heads:
        raise ValueError(f"{n_kv_heads} does not divide {n_heads}")
    q, k, v = (
        F.linear(x, w).unflatten(-1, (heads, -1)).transpose(1, 2)
        for w, heads in ((wq, n_heads), (wk, n_kv_heads), (wv, n_kv_heads))
    )
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    return F.linear(y.transpose(1, 2).flatten(2), wo)
