from functools import cache

import torch


@cache
def penalty(T: int, dtype: torch.dtype) -> torch.Tensor:
    return torch.full((T, T), float("-inf"), dtype=dtype).triu(1)


def causal_attention_weights(q: torch.Tensor, k: torch.Tensor, dim: int = -1) -> torch.Tensor:
    B, h, T, d = q.shape
    q, k = q.reshape(B * h, T, d), k.reshape(B * h, T, d)
    scores = torch.baddbmm(penalty(T, q.dtype), q, k.transpose(1, 2), alpha=d**-0.5)
    scores = scores - scores.amax(dim, keepdim=True)
    e = scores.exp()
    return (e / e.sum(dim, keepdim=True)).unflatten(0, (B, h))
