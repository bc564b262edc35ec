"""Keys one after another with a running maximum, as long caches are read in blocks."""

import torch


def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    wq, wk, wv, wo = weights
    B, S, C = x_new.shape
    d, m = C // n_heads, n_heads // n_kv_heads
    new = tuple((x_new @ w.T).reshape(B, S, n_kv_heads, 1, d) for w in (wk, wv))
    k, v = new if cache is None else tuple(map(torch.cat, zip(cache, new, strict=True), (1, 1)))
    T = k.shape[1]
    q = (x_new @ wq.T).reshape(B, S, n_kv_heads, m, d) / d**0.5
    top = torch.full((B, S, n_kv_heads, m, 1), -1e30)
    total, y = torch.zeros_like(top), torch.zeros_like(q)
    for t in range(T):
        first = max(0, t - (T - S))  # earlier new tokens may not look at key t
        score = (q[:, first:] * k[:, t : t + 1]).sum(-1, keepdim=True)
        best = torch.maximum(top[:, first:], score)
        shrink, e = (top[:, first:] - best).exp(), (score - best).exp()
        y[:, first:] = y[:, first:] * shrink + e * v[:, t : t + 1]
        total[:, first:] = total[:, first:] * shrink + e
        top[:, first:] = best
    return (y / total).reshape(B, S, C) @ wo.T, (k, v)
