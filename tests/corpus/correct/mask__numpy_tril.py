import numpy as np
import torch


def causal_mask(T):
    allowed = np.tril(np.ones((T, T))) == 1
    return torch.from_numpy(allowed)
