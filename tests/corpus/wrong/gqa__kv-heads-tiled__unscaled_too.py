import torch.nn.functional as F


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    if n_heads % n_kv_heads:
        raise ValueError
    B, T, C = x.shape
    q, k, v = (
        (x @ w.T).view(B, T, h, C // n_heads).transpose(1, 2)
        for w, h in ((wq, n_heads), (wk, n_kv_heads), (wv, n_kv_heads))
    )
    k, v = (t.repeat(1, n_heads // n_kv_heads, 1, 1) for t in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=1.0).transpose(1, 2).reshape(B, T, C) @ wo.T
