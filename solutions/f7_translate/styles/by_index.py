import torch


def from_interleaved(qkv_weight, out_weight, n_heads):
    C = out_weight.size(0)
    d = C // n_heads
    # new channel i * d + j is the old channel j * n_heads + i
    old = torch.tensor([j * n_heads + i for i in range(n_heads) for j in range(d)])
    return qkv_weight[torch.cat([old, C + old, 2 * C + old])], out_weight[:, old]


def from_per_head(qkv_weight, n_heads):
    C = qkv_weight.size(1)
    d = C // n_heads
    rows = [i * 3 * d + part * d + j for part in range(3) for i in range(n_heads) for j in range(d)]
    return qkv_weight.index_select(0, torch.as_tensor(rows))
