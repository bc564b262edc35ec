import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    s = q[0] @ k[0].transpose(-2, -1) / hd ** 0.5
    w = s.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf")).softmax(-1)
    return w.expand(B, h, T, T)
