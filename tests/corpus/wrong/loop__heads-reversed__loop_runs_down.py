import math
import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    B, T, C = x.shape
    d = C // n_heads
    wq, wk, wv = qkv_weight[:C], qkv_weight[C:2 * C], qkv_weight[2 * C:]
    mask = torch.ones(T, T, dtype=torch.bool).tril()
    heads = []
    for i in range(n_heads - 1, -1, -1):
        rows = slice(i * d, (i + 1) * d)
        q, k, v = x @ wq[rows].T, x @ wk[rows].T, x @ wv[rows].T
        s = q @ k.transpose(1, 2) / math.sqrt(d)
        s = s.masked_fill(~mask, float("-inf"))
        heads.append(s.softmax(-1) @ v)
    y = torch.cat(heads, dim=-1)
    return y @ out_weight.T
