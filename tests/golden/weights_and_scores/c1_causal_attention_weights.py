import torch
def causal_attention_weights(q, k):
    T, d = q.shape[-2:]
    s = q @ k.transpose(-2, -1) / d ** 0.5
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    return s.softmax(-1), s
