import torch


def causal_mask(T: int) -> torch.Tensor:
    forbidden = torch.ones(T, T).triu(diagonal=1)
    return forbidden.bool().logical_not()
