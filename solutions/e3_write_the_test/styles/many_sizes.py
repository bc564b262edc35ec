import itertools

import numpy as np


def one_output(x, qkv, out, h, b, t):
    """Token t of sequence b by pure Python sums."""
    C = x.shape[-1]
    d = C // h
    project = lambda s, row: float(np.dot(qkv[row], x[b, s]))  # noqa: E731
    merged = []
    for i in range(h):
        scores = [
            sum(project(t, i * d + c) * project(s, C + i * d + c) for c in range(d)) / d**0.5 for s in range(t + 1)
        ]
        e = [np.exp(score - max(scores)) for score in scores]
        merged += [sum(w * project(s, 2 * C + i * d + c) for s, w in enumerate(e)) / sum(e) for c in range(d)]
    return out @ np.array(merged)


def check(mha):
    rng = np.random.default_rng(5)
    for (B, T), (h, d) in itertools.product([(1, 3), (2, 4)], [(2, 3), (3, 2)]):
        C = h * d
        x = rng.normal(size=(B, T, C)).astype("float32")
        qkv, out = (rng.normal(size=(n, C)).astype("float32") / np.sqrt(C, dtype="float32") for n in (3 * C, C))
        y = mha(x, qkv, out, h)
        for b, t in np.ndindex(B, T):
            assert np.abs(y[b, t] - one_output(x, qkv, out, h, b, t)).max() < 1e-4, (B, T, h, d, b, t)
