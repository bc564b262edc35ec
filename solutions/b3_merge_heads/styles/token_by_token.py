import torch


def merge_heads(y):
    rows = []
    for t in range(y.shape[2]):
        token = y[:, :, t, :]
        rows.append(token.reshape(token.shape[0], -1))
    return torch.stack(rows, dim=1)
