import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    qf, kf = q.flatten(0, 1), k.flatten(0, 1)
    scores = torch.bmm(qf, kf.transpose(1, 2)).div(hd ** 0.5)
    scores = scores.masked_fill(~torch.ones(T, T, dtype=torch.bool, device=q.device).tril(), float("-inf"))
    return scores.softmax(dim=2).unflatten(0, (B, h))
