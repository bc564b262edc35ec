import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    s = (q @ k.transpose(-2, -1) / hd ** 0.5).masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    w = torch.softmax(s, dim=-1)
    return w.mean(dim=1, keepdim=True).expand(B, h, T, T)
