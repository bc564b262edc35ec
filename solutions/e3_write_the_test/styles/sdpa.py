import torch
import torch.nn.functional as F


def check(mha):
    torch.manual_seed(0)
    B, T, h, d = 2, 7, 3, 5
    C = h * d
    x, w, o = torch.randn(B, T, C), torch.randn(3 * C, C) / C**0.5, torch.randn(C, C) / C**0.5
    q, k, v = (t.view(B, T, h, d).transpose(1, 2) for t in F.linear(x, w).chunk(3, dim=-1))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(mha(x, w, o, h), F.linear(y.transpose(1, 2).reshape(B, T, C), o), rtol=1e-4, atol=1e-4)
