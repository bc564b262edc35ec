import math

import torch


def repeat_kv(t, n_rep):
    B, n_kv, T, d = t.shape
    return t[:, :, None].expand(B, n_kv, n_rep, T, d).reshape(B, n_kv * n_rep, T, d)


def gqa(x, wq, wk, wv, wo, n_heads, n_kv_heads):
    assert n_heads % n_kv_heads == 0, "uneven groups"
    bsz, seqlen, dim = x.shape
    head_dim = dim // n_heads
    xq, xk, xv = x @ wq.t(), x @ wk.t(), x @ wv.t()
    xq = xq.view(bsz, seqlen, n_heads, head_dim).transpose(1, 2)
    keys = repeat_kv(xk.view(bsz, seqlen, n_kv_heads, head_dim).transpose(1, 2), n_heads // n_kv_heads)
    values = repeat_kv(xv.view(bsz, seqlen, n_kv_heads, head_dim).transpose(1, 2), n_heads // n_kv_heads)
    scores = torch.matmul(xq, keys.transpose(2, 3)) / math.sqrt(head_dim)
    mask = torch.full((seqlen, seqlen), float("-inf"))
    scores = scores + torch.triu(mask, diagonal=1)
    scores = torch.softmax(scores.float(), dim=-1).type_as(xq)
    output = torch.matmul(scores, values)
    return output.transpose(1, 2).contiguous().view(bsz, seqlen, -1) @ wo.t()
