import torch


def check(mha):
    x = torch.randn(2, 6, 32)
    y = mha(x, torch.randn(96, 32), torch.randn(32, 32), 4)
    assert y.shape == x.shape
    assert not torch.isnan(y).any()
