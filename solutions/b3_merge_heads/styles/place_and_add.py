import torch.nn.functional as F


def merge_heads(y):
    h, d = y.shape[1], y.shape[3]
    wide = [F.pad(y[:, i], (i * d, (h - 1 - i) * d)) for i in range(h)]
    return sum(wide)
