import math

import torch


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    if n_heads % n_kv_heads != 0:
        raise ValueError("n_kv_heads must divide n_heads")
    C = x.shape[-1]
    d = C // n_heads
    members = n_heads // n_kv_heads
    outputs = []
    for head in range(n_heads):
        shared = head // members
        q = x @ wq[head * d : (head + 1) * d].T
        k = x @ wk[shared * d : (shared + 1) * d].T
        v = x @ wv[shared * d : (shared + 1) * d].T
        scores = q @ k.transpose(1, 2) / math.sqrt(d)
        hidden = torch.triu(torch.full_like(scores, float("-inf")), diagonal=1)
        outputs.append(torch.softmax(scores + hidden, dim=-1) @ v)
    return torch.cat(outputs, dim=-1) @ wo.T
