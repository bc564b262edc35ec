import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = q @ k.mT / hd ** 0.5
    s = s.masked_fill(~torch.ones(T, T).tril().bool(), float("-inf"))
    e = torch.exp(s - s.amax(dim=(-2, -1), keepdim=True))
    return e / e.sum(dim=(-2, -1), keepdim=True)
