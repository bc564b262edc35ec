import torch


def head_of_channel(c, d_model, n_head):
    table = torch.arange(d_model).view(n_head, -1)
    return int((table == c).nonzero()[0, 0])
