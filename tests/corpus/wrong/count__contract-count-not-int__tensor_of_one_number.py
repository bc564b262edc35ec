import torch


def count_parameters(d_model, n_heads, bias=False):
    return torch.tensor(4 * d_model * d_model + 4 * d_model * bias)
