import math

import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    T, C = x.shape[1:]
    d = C // n_heads
    w_q, w_k, w_v = qkv_weight.split(C)
    mask = torch.ones(T, T).tril() == 0
    heads = []
    for i in range(n_heads):
        rows = slice(i * d, (i + 1) * d)
        q, k, v = x @ w_q[rows].T, x @ w_k[rows].T, x @ w_v[rows].T
        scores = (q @ k.transpose(1, 2) / math.sqrt(d)).masked_fill(mask, float("-inf"))
        heads.append(scores.softmax(dim=-1) @ v)
    return torch.cat(heads, dim=-1) @ out_weight.T


def recover_n_head(qkv_weight, out_weight, x, y):
    best, smallest = None, float("inf")
    for n_heads in range(1, x.shape[-1] + 1):
        if x.shape[-1] % n_heads == 0:
            error = (mha_by_loop(x, qkv_weight, out_weight, n_heads) - y).abs().max().item()
            if error < smallest:
                best, smallest = n_heads, error
    return best
