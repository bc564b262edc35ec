"""Plain multi-head attention on weights whose rows were copied for each member of a group."""

import torch


def mha(x, wq, wk, wv, wo, n_heads):
    B, T, C = x.shape
    q, k, v = (torch.movedim((x @ w.T).reshape(B, T, n_heads, -1), 2, 1) for w in (wq, wk, wv))
    weights = (q @ k.mT / (C // n_heads) ** 0.5).masked_fill(torch.ones(T, T).tril() == 0, -torch.inf).softmax(-1)
    return torch.movedim(weights @ v, 1, 2).reshape(B, T, C) @ wo.T


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    group, rest = divmod(n_heads, n_kv_heads)
    if rest:
        raise ValueError("no even groups")
    copied = [w.unflatten(0, (n_kv_heads, -1)).repeat_interleave(group, 0).flatten(0, 1) for w in (wk, wv)]
    return mha(x, wq, *copied, wo, n_heads)
