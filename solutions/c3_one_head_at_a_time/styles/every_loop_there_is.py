import math

import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    _, T, C = x.shape
    d = C // n_heads
    heads = [range(h * d, h * d + d) for h in range(n_heads)]
    sequences = []
    for sequence in x:
        rows = []
        for t in range(T):
            blocks = []
            for head in heads:
                q = qkv_weight[head] @ sequence[t]
                k = sequence[: t + 1] @ qkv_weight[[C + c for c in head]].T
                v = sequence[: t + 1] @ qkv_weight[[2 * C + c for c in head]].T
                weights = torch.softmax(k @ q / math.sqrt(d), dim=0)
                blocks.append(weights @ v)
            rows.append(out_weight @ torch.cat(blocks))
        sequences.append(torch.stack(rows))
    return torch.stack(sequences)
