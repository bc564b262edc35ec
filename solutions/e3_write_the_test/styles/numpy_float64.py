import numpy as np


def expected(x, qkv, out, h):
    _B, T, C = x.shape
    y = np.zeros_like(x)
    for rows in np.split(np.arange(C), h):
        q, k, v = (x @ qkv[part * C + rows].T for part in range(3))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(len(rows))
        e = np.exp(scores) * np.tri(T)
        y[..., rows] = e / e.sum(-1, keepdims=True) @ v
    return y @ out.T


def check(mha):
    rng = np.random.default_rng(2024)
    B, T, C, h = 3, 6, 8, 2
    x = rng.normal(size=(B, T, C))
    qkv, out = rng.normal(size=(3 * C, C)) / C**0.5, rng.normal(size=(C, C)) / C**0.5
    got = mha(x=x, qkv_weight=qkv, out_weight=out, n_heads=h)
    assert isinstance(got, np.ndarray)
    np.testing.assert_allclose(got, expected(x, qkv, out, h), rtol=1e-4, atol=1e-6)
