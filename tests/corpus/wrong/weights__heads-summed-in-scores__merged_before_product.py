import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    qm, km = q.transpose(1, 2).reshape(B, T, -1), k.transpose(1, 2).reshape(B, T, -1)
    s = (qm @ km.transpose(1, 2) / hd ** 0.5).masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return s.softmax(-1)[:, None].repeat(1, h, 1, 1)
