import math
import torch


def causal_attention_weights(q, k):
    T = q.shape[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[3])
    scores = scores.masked_fill(torch.triu(torch.ones(T, T), diagonal=1).bool(), float("-inf")
    return torch.softmax(scores, dim=-1)
