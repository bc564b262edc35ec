import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    keep = torch.ones(T, T, dtype=torch.bool, device=q.device).tril().repeat(B, h, 1, 1)
    scores = q @ k.transpose(-2, -1) / hd ** 0.5
    scores[~keep] = float("-inf")
    return torch.softmax(scores, dim=-1)
