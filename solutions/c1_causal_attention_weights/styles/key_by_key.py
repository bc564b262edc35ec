import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    q = q * d**-0.5
    top = torch.full((B, h, T), -torch.inf, dtype=q.dtype)
    total = torch.zeros_like(top)
    columns = []
    for j in range(T):
        score = (q * k[:, :, j, None]).sum(-1)
        score[:, :, :j] = -torch.inf
        new_top = torch.maximum(top, score)
        old_share = torch.where(total > 0, (top - new_top).exp(), 0.0) if j else 0.0
        new_share = torch.where(score == -torch.inf, 0.0, (score - new_top).exp())
        total = total * old_share + new_share
        top = new_top
        columns.append(score)
    return torch.exp(torch.stack(columns, -1) - top[..., None]) / total[..., None]
