import torch
from torch import nn


def split(x, h):
    B, T, C = x.shape
    return x.reshape(B, T, h, C // h).transpose(1, 2).reshape(B * h, T, C // h)


def merge(x, h):
    Bh, T, d = x.shape
    return x.reshape(Bh // h, h, T, d).permute(0, 2, 1, 3).reshape(Bh // h, T, h * d)


class Project(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(c_out, c_in) * c_in**-0.5)
        self.register_parameter("bias", None)

    def forward(self, x):
        return torch.matmul(x, self.weight.t())


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads > 0:
            raise ValueError
        self.h = n_heads
        self.qkv = Project(d_model, 3 * d_model)
        self.out = Project(d_model, d_model)

    def forward(self, x):
        q, k, v = (split(part, self.h) for part in self.qkv(x).tensor_split(3, dim=-1))
        mask = x.new_full((x.size(1), x.size(1)), float("-inf")).triu_(1)
        scores = torch.baddbmm(mask, q, k.mT, alpha=q.size(-1) ** -0.5)
        weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
        return self.out(merge(torch.bmm(weights, v), self.h))
