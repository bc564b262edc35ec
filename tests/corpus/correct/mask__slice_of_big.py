import torch

_BIG = torch.ones(2048, 2048, dtype=torch.bool).tril()


def causal_mask(T):
    return _BIG[:T, :T]
