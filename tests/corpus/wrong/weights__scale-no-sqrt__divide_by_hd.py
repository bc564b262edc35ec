import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    s = q @ k.mT / hd
    s = s.masked_fill(~torch.ones(T, T).tril().bool(), -torch.inf)
    return torch.softmax(s, dim=-1)
