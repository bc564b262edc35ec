import torch


def causal_attention_weights(q, k):
    T = q.shape[2]
    scores = torch.matmul(q, k.transpose(2, 3)) / q.shape[-1] ** 0.5
    pos = torch.arange(T, device=q.device)
    keep = pos[:, None] >= pos
    low = torch.finfo(scores.dtype).min
    scores = torch.where(keep, scores, torch.full_like(scores, low))
    return torch.softmax(scores, dim=3)
