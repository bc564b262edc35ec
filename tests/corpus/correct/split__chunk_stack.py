import torch


def split_heads(x, n_head):
    if x.size(-1) % n_head != 0:
        raise ValueError("the width must be a multiple of the number of heads")
    return torch.stack(x.chunk(n_head, dim=-1), dim=1)
