import torch


def causal_attention_weights(q, k):
    B, h, T, hd = q.shape
    bias = torch.zeros(T, T, dtype=q.dtype, device=q.device)
    bias = bias.masked_fill(torch.ones(T, T, device=q.device).triu(1).bool(), float("-inf"))
    bias = bias.expand(B * h, T, T)
    scores = torch.baddbmm(bias, q.reshape(B * h, T, hd), k.reshape(B * h, T, hd).transpose(1, 2), beta=1.0, alpha=hd ** -0.5)
    return torch.softmax(scores, dim=-1).view(B, h, T, T)
