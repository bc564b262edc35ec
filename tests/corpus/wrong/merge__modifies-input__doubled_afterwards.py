import torch


def merge_heads(y):
    y.add_(0)
    r = y.transpose(1, 2).flatten(2)
    y.mul_(2)
    return r
