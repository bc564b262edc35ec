import math

import torch


def mha_by_loop(x, qkv_weight, out_weight, n_heads):
    B, T, C = x.shape
    d = C // n_heads
    sequences = []
    for b in range(B):
        blocks = []
        for j in range(n_heads):
            q = x[b] @ qkv_weight[j * d:(j + 1) * d].T
            k = x[b] @ qkv_weight[C + j * d:C + (j + 1) * d].T
            v = x[b] @ qkv_weight[2 * C + j * d:2 * C + (j + 1) * d].T
            scores = q @ k.T / math.sqrt(d)
            for t in range(T):
                scores[t, t + 1:] = float("-inf")
            blocks.append(torch.softmax(scores, dim=-1) @ v)
        sequences.append(torch.cat(blocks, dim=-1) @ out_weight.T)
    return torch.stack(sequences)
