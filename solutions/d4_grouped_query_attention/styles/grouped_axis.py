import torch


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    B, T, C = x.shape
    d = C // n_heads
    q = (x @ wq.T).view(B, T, n_kv_heads, -1, d)  # (B, T, groups, members, d); members = 0 rest is refused by view
    assert q.shape[3] * n_kv_heads == n_heads
    k = (x @ wk.T).view(B, T, n_kv_heads, d)
    v = (x @ wv.T).view(B, T, n_kv_heads, d)
    scores = torch.einsum("btgmd,bsgd->bgmts", q, k) * d**-0.5
    causal = torch.arange(T)[:, None] >= torch.arange(T)
    weights = torch.where(causal, scores, -torch.inf).softmax(-1)
    y = torch.einsum("bgmts,bsgd->btgmd", weights, v)
    return y.reshape(B, T, C) @ wo.T
