import torch


def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    wq, wk, wv, wo = weights
    B, S, C = x_new.shape
    kv = torch.stack([x_new @ wk.T, x_new @ wv.T]).view(2, B, S, n_kv_heads, -1)  # (2, B, S, n_kv, d)
    cache = kv if cache is None else torch.cat([cache, kv], dim=2)
    k, v = cache.movedim(3, 2).repeat_interleave(n_heads // n_kv_heads, dim=2)  # each (B, h, T, d)
    q = (x_new @ wq.T).view(B, S, n_heads, -1).movedim(2, 1)
    T = k.shape[2]
    position = torch.arange(T)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    scores[..., position > position[T - S :, None]] = -torch.inf
    return (scores.softmax(-1) @ v).movedim(1, 2).reshape(B, S, C) @ wo.T, cache
