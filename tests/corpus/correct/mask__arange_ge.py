import torch


def causal_mask(T):
    pos = torch.arange(T)
    return pos[:, None] >= pos[None, :]
