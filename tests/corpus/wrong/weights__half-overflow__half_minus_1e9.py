import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    scores = (q.half() @ k.half().transpose(-2, -1)) / hd ** 0.5
    scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), -1e9)
    return torch.softmax(scores, dim=-1).to(q.dtype)
