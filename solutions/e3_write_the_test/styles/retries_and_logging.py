"""Prints a report, collects all failures and asks for several shapes before it complains."""

import torch


def reference(x, w, o, h):
    wq, wk, wv = w.chunk(3)
    ys = []
    for q, k, v in zip(*(t.chunk(h) for t in (wq, wk, wv)), strict=True):
        s = (x @ q.T) @ (x @ k.T).transpose(1, 2) / len(q) ** 0.5
        s[:, torch.ones(s.shape[1:]).triu(1).bool()] = float("-inf")
        ys.append(s.softmax(2) @ (x @ v.T))
    return torch.cat(ys, 2) @ o.T


def check(mha) -> None:
    failures = []
    for i, (B, T, C, h) in enumerate([(1, 2, 4, 2), (2, 5, 16, 4), (2, 1, 6, 3)]):
        g = torch.Generator().manual_seed(i)
        x, w, o = (torch.randn(*s, generator=g) for s in ((B, T, C), (3 * C, C), (C, C)))
        try:
            y = mha(x, w / C**0.5, o / C**0.5, h)
        except (ValueError, RuntimeError) as error:
            failures.append(f"{(B, T, C, h)}: {error}")
            continue
        worst = (y - reference(x, w / C**0.5, o / C**0.5, h)).abs().max().item()
        print((B, T, C, h), worst)
        if worst > 1e-4:
            failures.append(f"{(B, T, C, h)}: off by {worst:.3f}")
    assert not failures, "; ".join(failures)
