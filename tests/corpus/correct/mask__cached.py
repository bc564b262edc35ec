from functools import lru_cache

import torch


@lru_cache(maxsize=None)
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril_()
