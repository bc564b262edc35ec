import torch


def causal_attention_weights(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    T = q.size(-2)
    scores = (q * q.size(-1) ** -0.5) @ k.mT
    allowed = torch.ones(T, T, dtype=torch.bool, device=q.device).tril()
    return scores.where(allowed, -torch.inf).softmax(dim=-1)
