import math
import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    B, T, C = x.shape
    d = C // n_heads
    wq, wk, wv = qkv_weight[:C], qkv_weight[C:2 * C], qkv_weight[2 * C:]
    mask = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)
    heads = []
    for i in range(n_heads):
        q = x @ wq[i * d:(i + 1) * d].T
        k = x @ wk[i * d:(i + 1) * d].T
        v = x @ wv[i * d:(i + 1) * d].T
        s = q @ k.transpose(1, 2) / math.sqrt(d)
        s = s.masked_fill(mask, float("-inf"))
        a = s.softmax(-1)
        heads.append(a @ v)
    y = torch.stack(heads, dim=1)
    return y @ out_weight.T
