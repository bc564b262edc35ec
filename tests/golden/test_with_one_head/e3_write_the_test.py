import torch
import torch.nn.functional as F


def check(mha):
    """Only looks whether the future leaks, in a single sequence with one head."""
    torch.manual_seed(0)
    x = torch.randn(1, 4, 8)
    qkv, out = torch.randn(24, 8) / 8**0.5, torch.randn(8, 8) / 8**0.5
    changed = x.clone()
    changed[:, -1] = 0
    before, after = mha(x, qkv, out, 1), mha(changed, qkv, out, 1)
    assert F.mse_loss(before[:, :-1], after[:, :-1]) < 1e-8
