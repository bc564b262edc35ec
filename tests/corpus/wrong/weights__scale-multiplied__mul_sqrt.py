import math

import torch


def causal_attention_weights(q, k):
    T = q.size(-2)
    logits = torch.einsum("bhqd,bhkd->bhqk", q, k).mul(math.sqrt(q.size(-1)))
    pos = torch.arange(T)
    return logits.masked_fill(pos[None, :] > pos[:, None], float("-inf")).softmax(dim=-1)
