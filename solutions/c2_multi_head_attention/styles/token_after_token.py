import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int, **unused):
        super().__init__()
        d_head = d_model // n_heads
        assert d_head * n_heads == d_model
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.cut = nn.Unflatten(-1, (3, n_heads, d_head))
        self.softmax = nn.Softmax(dim=1)
        self.join = nn.Flatten(start_dim=1)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        keys, values, answers = [], [], []
        for token in x.unbind(1):
            q, k, v = self.cut(self.qkv(token)).unbind(1)  # (B, h, d)
            keys.append(k)
            values.append(v)
            scores = (torch.stack(keys, 1) * q[:, None]).sum(-1) / q.shape[-1] ** 0.5  # (B, t, h)
            y = (self.softmax(scores)[..., None] * torch.stack(values, 1)).sum(1)
            answers.append(self.out(self.join(y)))
        return torch.stack(answers, dim=1)
