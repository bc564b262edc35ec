import torch


def causal_attention_weights(q, k):
    T, hd = q.shape[-2:]
    scores = (q.data @ k.data.transpose(-2, -1)) / hd ** 0.5
    scores.masked_fill_(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return scores.softmax(dim=-1)
