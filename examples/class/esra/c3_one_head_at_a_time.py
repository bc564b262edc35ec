import torch
import torch.nn.functional as F


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    q, k, v = F.linear(x, qkv_weight).chunk(3, dim=-1)
    heads = zip(q.chunk(n_heads, -1), k.chunk(n_heads, -1), v.chunk(n_heads, -1))
    outputs = [F.scaled_dot_product_attention(*head, is_causal=True) for head in heads]
    return F.linear(torch.cat(outputs, dim=-1), out_weight)
