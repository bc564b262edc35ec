import torch


def split_heads(x, n_head):
    C = x.size(-1)
    select = torch.eye(C, dtype=x.dtype, device=x.device).view(C, n_head, C // n_head)
    return torch.einsum("btc,chd->bhtd", x, select)
