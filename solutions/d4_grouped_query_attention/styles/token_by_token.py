import torch


def one_sequence(x, wq, wk, wv, n_heads, n_kv_heads):
    T, C = x.shape
    d = C // n_heads
    keys, values = (x @ wk.T).reshape(T, n_kv_heads, d), (x @ wv.T).reshape(T, n_kv_heads, d)
    rows = []
    for t in range(T):
        q = (wq @ x[t]).reshape(n_heads, d)
        row = []
        for i in range(n_heads):
            g = i * n_kv_heads // n_heads
            weights = torch.softmax(keys[: t + 1, g] @ q[i] / d**0.5, 0)
            row.append(weights @ values[: t + 1, g])
        rows.append(torch.cat(row))
    return torch.stack(rows)


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    if n_heads % n_kv_heads > 0:
        raise ValueError(f"{n_heads} % {n_kv_heads}")
    return torch.stack([one_sequence(s, wq, wk, wv, n_heads, n_kv_heads) for s in x]) @ wo.T
