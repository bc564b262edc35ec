import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    q = q * d**-0.5
    top = torch.full((B, h, T), -torch.inf, dtype=q.dtype)
    total = torch.zeros_like(top)
    scores = []
    for j in range(T):
        score = (q * k[:, :, j, None]).sum(-1)  # every token asks token j
        score[:, :, :j] = -torch.inf  # those before j must not
        new_top = torch.maximum(top, score)
        total = total * (top - new_top).exp() + (score - new_top).exp()
        top = new_top
        scores.append(score)
    return torch.exp(torch.stack(scores, -1) - top[..., None]) / total[..., None]
