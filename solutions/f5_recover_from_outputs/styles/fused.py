import torch
import torch.nn.functional as F


def attention(x, qkv_weight, out_weight, n_heads):
    B, T, C = x.shape
    q, k, v = F.linear(x, qkv_weight).view(B, T, 3, n_heads, C // n_heads).permute(2, 0, 3, 1, 4)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * (C // n_heads) ** -0.5
    weights = (scores + torch.full((T, T), float("-inf")).triu(1)).softmax(-1)
    return F.linear((weights @ v).transpose(1, 2).reshape(B, T, C), out_weight)


def recover_n_head(qkv_weight, out_weight, x, y):
    width = x.size(-1)
    candidates = [
        n
        for n in range(1, width + 1)
        if width % n == 0 and (attention(x, qkv_weight, out_weight, n) - y).abs().max() < 1e-3 * y.abs().max()
    ]
    if len(candidates) != 1:
        raise ValueError(f"cannot tell, {candidates} fit")
    (n_head,) = candidates
    return n_head
