import torch
from torch import einsum, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, initial_std=0.02):
        super().__init__()
        self.shape = (n_heads, d_model // n_heads)
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)
        for layer in (self.qkv, self.out):
            nn.init.normal_(layer.weight, std=initial_std)

    def forward(self, x):
        w_q, w_k, w_v = self.qkv.weight.view(3, *self.shape, -1)
        w_o = self.out.weight.view(-1, *self.shape)
        q = einsum("btc,hdc->bhtd", x, w_q) / self.shape[1] ** 0.5
        k = einsum("bsc,hdc->bhsd", x, w_k)
        v = einsum("bsc,hdc->bhsd", x, w_v)
        scores = einsum("bhtd,bhsd->bhts", q, k)
        t = torch.arange(x.size(1), device=x.device)
        scores = torch.where(t[:, None] < t, -torch.inf, scores)
        return einsum("bhts,bhsd,chd->btc", scores.softmax(-1), v, w_o)
