import torch

BLOCK = 8
TRIL = torch.tril(torch.ones(BLOCK, BLOCK))


def causal_attention_weights(q, k):
    wei = q @ k.transpose(-2, -1) * q.size(-1) ** -0.5
    wei = wei.masked_fill(TRIL == 0, float("-inf"))
    return wei.softmax(dim=-1)
