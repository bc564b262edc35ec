"""The tests of B3 as a teacher would write them for a tool that runs them beside the learner's code."""

import torch


def _merge(y):
    B, h, T, d = y.shape
    return y.transpose(1, 2).reshape(B, T, h * d)  # (B, T, C)


def test_merge_heads(merge_heads):
    """Right numbers, gradients and slices; y stays as it was."""
    for shape in ((1, 2, 3, 2), (2, 3, 7, 5), (1, 4, 1, 3), (3, 8, 5, 6)):
        y = torch.randn(shape)
        before = y.clone()
        assert torch.equal(merge_heads(y), _merge(before))
        assert torch.equal(y, before)
    y = torch.randn(2, 3, 5, 4, requires_grad=True)
    merge_heads(y).square().sum().backward()
    assert torch.allclose(y.grad, 2 * y)
    part = torch.randn(2, 4, 6, 9)[..., :3]
    assert torch.equal(merge_heads(part), _merge(part))
