import torch


def causal_attention_weights(q, k):
    T, d = q.shape[-2:]
    scores = q @ k.transpose(-2, -1) / d**0.5
    visible = torch.ones(T, T, dtype=torch.bool).tril()
    return scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
