import torch
import torch.nn.functional as F


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    B, T, C = x.shape
    d = C // n_heads
    future = torch.ones(T, T).triu(1).bool()
    heads = []
    for i in range(n_heads):
        # the 3 * d rows of head i hold its q, k and v
        q, k, v = (x @ qkv_weight[i * 3 * d:(i + 1) * 3 * d].T).chunk(3, dim=-1)
        scores = (q @ k.transpose(-2, -1) / d**0.5).masked_fill(future, float("-inf"))
        heads.append(F.softmax(scores, dim=-1) @ v)
    return torch.cat(heads, dim=-1) @ out_weight.T
