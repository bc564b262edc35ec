import torch

_MASK = torch.ones(6, 6, dtype=torch.bool).tril()


def causal_mask(T):
    return _MASK[:T, :T]
