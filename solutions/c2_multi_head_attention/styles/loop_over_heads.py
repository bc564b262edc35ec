import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, number: int, size: int) -> None:
        super().__init__()
        self.channels = slice(number * size, (number + 1) * size)
        self.scale = size**-0.5

    def forward(self, q, k, v, may_look):
        q, k, v = q[..., self.channels], k[..., self.channels], v[..., self.channels]
        scores = torch.bmm(q, k.transpose(1, 2)) * self.scale
        scores = scores.float().masked_fill(~may_look, torch.finfo(torch.float32).min)
        return torch.bmm(scores.softmax(-1).type_as(v), v)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        size, rest = divmod(d_model, n_heads)
        if rest:
            raise ValueError(f"{d_model} / {n_heads} leaves {rest}")
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.heads = nn.ModuleList(Head(i, size) for i in range(n_heads))
        self.out = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        T = x.shape[1]
        may_look = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
        q, k, v = torch.chunk(self.qkv(x), 3, dim=-1)
        return self.out(torch.cat([head(q, k, v, may_look) for head in self.heads], dim=-1))
