import torch
import torch.nn.functional as F


def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    wq, wk, wv, wo = weights

    def heads(t, n):
        return t.unflatten(-1, (n, -1)).transpose(1, 2)

    k, v = heads(F.linear(x_new, wk), n_kv_heads), heads(F.linear(x_new, wv), n_kv_heads)
    if cache:
        k, v = torch.cat((cache["k"], k), -2), torch.cat((cache["v"], v), -2)
    S, T = x_new.shape[1], k.shape[-2]
    mask = torch.ones(S, T, dtype=torch.bool).tril(T - S)
    q = heads(F.linear(x_new, wq), n_heads)
    y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    return F.linear(y.transpose(1, 2).flatten(2), wo), {"k": k, "v": v}
