import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    B, T, C = x.shape
    d = C // n_heads
    mask = torch.tril(torch.ones(T, T)).bool()
    outs = []
    for i in range(n_heads):
        q = x @ qkv_weight[i * d:(i + 1) * d].T
        k = x @ qkv_weight[C + i * d:C + (i + 1) * d].T
        v = x @ qkv_weight[2 * C + i * d:2 * C + (i + 1) * d].T
        scores = q @ k.transpose(1, 2) / C**0.5
        scores = scores.masked_fill(~mask, float("-inf"))
        outs.append(scores.softmax(-1) @ v)
    return torch.cat(outs, -1) @ out_weight.T
