import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    B, T, C = x.shape
    d = C // n_heads
    q, k, v = (x @ qkv_weight.T).chunk(3, dim=-1)
    mask = torch.ones(T, T, dtype=torch.bool).tril()
    out = []
    for j in range(n_heads):
        s = slice(j * d, (j + 1) * d)
        scores = q[..., s] @ k[..., s].mT / d**0.5
        out.append(scores.masked_fill(~mask, float("-inf")).softmax(-1) @ v[..., s])
    return torch.cat(out, dim=-1) @ out_weight
