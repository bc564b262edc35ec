import torch


def split_heads(x, n_heads):
    C = x.shape[-1]
    if C % n_heads != 0:
        raise ValueError("does not divide")
    d = C // n_heads
    heads = []
    for i in range(n_heads):
        heads.append(x[:, :, i * d:(i + 1) * d])
    return torch.stack(heads, dim=1)
