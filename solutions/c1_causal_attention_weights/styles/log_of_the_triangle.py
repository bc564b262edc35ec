"""log 1 = 0 and log 0 = -inf make a mask to add; the shares come from the difference to logsumexp."""

import torch


def causal_attention_weights(q, k):
    T = q.size(-2)
    mask = torch.ones(T, T, dtype=q.dtype).tril().log()
    scores = q @ k.mT / q.size(-1) ** 0.5 + mask
    return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
