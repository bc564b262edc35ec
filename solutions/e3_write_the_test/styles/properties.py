"""No second implementation at all: properties, each of which some bug breaks."""

import math

import torch


def draw(*shape, seed):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def check(mha):
    B, T, h, d = 2, 6, 3, 4
    C = h * d
    x, qkv, out = draw(B, T, C, seed=1), draw(3 * C, C, seed=2) / C**0.5, draw(C, C, seed=3) / C**0.5
    y = mha(x, qkv, out, h)
    assert y.shape == x.shape

    # a changed token moves itself and the future, nothing else
    for t in range(T):
        other = x.clone()
        other[:, t] += 1
        moved = (mha(other, qkv, out, h) - y).abs().amax(dim=(0, 2)) > 1e-5
        assert moved.tolist() == [s >= t for s in range(T)], "causality"

    # the output projection comes last
    bare = mha(x, qkv, torch.eye(C), h)
    assert torch.allclose(bare @ out.T, y, atol=1e-4), "output projection"

    # each head fills its own block of neighbouring channels
    for i in range(h):
        own = slice(i * d, (i + 1) * d)
        silent = qkv.clone()
        silent[2 * C :][own] = 0
        rest = mha(x, silent, torch.eye(C), h)
        assert rest[..., own].abs().max() < 1e-6, "blocks"

    # one token asks, one channel answers: the weight is known exactly
    w = torch.zeros(3 * C, C)
    w[0, 1] = 2.0  # query, head 0: reads channel 1
    w[C, 0] = 1.5  # key, head 0: reads channel 0
    w[2 * C : 3 * C] = torch.eye(C)
    tokens = torch.zeros(1, 2, C)
    tokens[0, 0, 0] = tokens[0, 1, 1] = 1.0
    seen = mha(tokens, w, torch.eye(C), h)[0, 1]
    weight = 1 / (1 + math.exp(-3.0 / math.sqrt(d)))
    assert math.isclose(seen[0], weight, abs_tol=1e-4), "scale, or queries and keys"
    assert math.isclose(seen[1], 1 - weight, abs_tol=1e-4)
