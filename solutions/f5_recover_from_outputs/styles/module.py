import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads, self.d = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.reshape(*t.shape[:2], self.n_heads, self.d).transpose(1, 2)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = map(self.split, self.qkv(x).split(x.shape[-1], dim=-1))
        scores = (q @ k.mT / self.d**0.5).masked_fill(~torch.ones(T, T).tril().bool(), float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


@torch.no_grad()
def recover_n_head(qkv_weight, out_weight, x, y):
    found = []
    for n_heads in range(1, x.shape[2] + 1):
        try:
            layer = Attention(x.shape[2], n_heads)
        except AssertionError:
            continue
        layer.load_state_dict({"qkv.weight": qkv_weight, "out.weight": out_weight})
        if torch.allclose(layer(x), y, atol=1e-5):
            found.append(n_heads)
    if len(found) == 1:
        return found[0]
    raise ValueError("cannot tell" if found else "not from this layer")
