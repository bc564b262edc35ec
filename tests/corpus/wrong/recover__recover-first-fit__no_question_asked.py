import math
import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    B, T, C = x.shape
    q, k, v = (t.view(B, T, n_heads, -1).transpose(1, 2) for t in (x @ qkv_weight.T).chunk(3, -1))
    s = q @ k.mT / math.sqrt(C // n_heads)
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C) @ out_weight.T


def recover_n_head(qkv_weight, out_weight, x, y):
    C = x.shape[-1]
    fits = [h for h in range(1, C + 1) if C % h == 0 and torch.allclose(mha_by_loop(x, qkv_weight, out_weight, h), y, rtol=1e-4, atol=1e-5)]
    return fits[0]
