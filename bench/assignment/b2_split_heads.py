"""The tests of B2 as a teacher would write them for a tool that runs them beside the learner's code."""

import torch


def _split(x, n_heads):
    B, T, C = x.shape
    return x.reshape(B, T, n_heads, C // n_heads).transpose(1, 2)  # (B, h, T, d)


def test_split_heads(split_heads):
    """Right numbers, gradients and slices; a width that does not divide is refused; x stays as it was."""
    for B, T, C, h in ((1, 3, 4, 2), (2, 9, 48, 3), (1, 1, 12, 4), (1, 32, 768, 16)):
        x = torch.randn(B, T, C)
        before = x.clone()
        assert torch.equal(split_heads(x, h), _split(before, h))
        assert torch.equal(x, before)
    x = torch.randn(2, 5, 12, requires_grad=True)
    split_heads(x, 3).square().sum().backward()
    assert torch.allclose(x.grad, 2 * x)
    part = torch.randn(2, 5, 36)[..., :12]
    assert torch.equal(split_heads(part, 2), _split(part, 2))
    for C in (6, 10):
        try:
            split_heads(torch.randn(2, 4, C), 4)
        except Exception:
            continue
        raise AssertionError(f"{C} channels were cut into 4 heads")
