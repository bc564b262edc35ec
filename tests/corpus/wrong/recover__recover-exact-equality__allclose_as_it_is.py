import torch
import torch.nn.functional as F


def recover_n_head(qkv_weight, out_weight, x, y):
    C = x.size(-1)
    fits = []
    for h in range(1, C + 1):
        if C % h:
            continue
        q, k, v = (t.view(1, -1, h, C // h).transpose(1, 2) for t in (x @ qkv_weight.T).chunk(3, -1))
        got = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(1, -1, C) @ out_weight.T
        if torch.allclose(got, y):
            fits.append(h)
    if len(fits) != 1:
        raise ValueError("cannot tell")
    return fits[0]
