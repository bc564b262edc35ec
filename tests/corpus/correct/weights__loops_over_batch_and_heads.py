import math

import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    allowed = torch.ones(T, T).tril().bool().to(q.device)
    out = []
    for b in range(B):
        per_head = []
        for i in range(h):
            s = q[b, i] @ k[b, i].T / math.sqrt(hd)
            per_head.append(s.masked_fill(~allowed, float("-inf")).softmax(-1))
        out.append(torch.stack(per_head))
    return torch.stack(out)
