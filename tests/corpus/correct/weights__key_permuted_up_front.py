import math

import torch
from torch import nn


def causal_attention_weights(q, k):
    key_t = k.permute(0, 1, 3, 2).contiguous()
    logits = torch.matmul(q, key_t).mul(1.0 / math.sqrt(q.shape[-1]))
    n = logits.shape[-1]
    visible = torch.arange(n).view(n, 1).ge(torch.arange(n).view(1, n)).to(logits.device)
    logits = logits.masked_fill(visible.logical_not(), float("-inf"))
    return nn.Softmax(dim=-1)(logits)
