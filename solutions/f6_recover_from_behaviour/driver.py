"""How a worker questions recover_from_behaviour: it hands out an architecture, and never a head count."""

import math

import torch
from torch import nn
from torch.nn import functional


class Attention(nn.Module):
    """Causal self-attention: x (B, T, C) to (B, T, C)."""

    def __init__(self, C, n_head):
        super().__init__()
        if n_head < 1 or C % n_head:
            raise ValueError(f"width {C} cannot be cut into {n_head} equal heads")
        self.n_head = n_head
        self.qkv, self.out = nn.Linear(C, 3 * C, bias=False), nn.Linear(C, C, bias=False)

    def forward(self, x):
        """Attend within each sequence."""
        q, k, v = (part.unflatten(-1, (self.n_head, -1)) for part in self.qkv(x).chunk(3, dim=-1))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
        future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(diagonal=1)
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.out(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(-2))


class LanguageModel(nn.Module):
    """Tokens (B, T) to the logits (B, T, V) of each next token."""

    def __init__(self, shapes, layers, n_head):
        super().__init__()
        self.tok, self.pos = nn.Embedding(*shapes["tok.weight"]), nn.Embedding(*shapes["pos.weight"])
        V, C = shapes["tok.weight"]
        self.blocks = nn.ModuleList(Attention(C, n_head) for _ in range(layers))
        self.head = nn.Linear(C, V, bias=False)

    def forward(self, tokens):
        """Read a batch of sequences."""
        x = self.tok(tokens) + self.pos.weight[: tokens.shape[-1]]
        for block in self.blocks:
            x = x + block(functional.rms_norm(x, x.shape[-1:]))
        return self.head(x)


def drive(learner, inputs, ask):
    """Ask for all losses, or for the head count. Numbers may come as any kind of number."""
    state = inputs["state_dict"]
    shapes = {name: tuple(weight.shape) for name, weight in state.items()}
    layers = sum(name.endswith("qkv.weight") for name in shapes)

    def build(n_head):
        return LanguageModel(shapes, layers, n_head).eval()

    found = learner[learner.called](build, state, inputs["tokens"])
    if isinstance(found, dict):
        return {"result": {str(plain(n_head)): plain(loss) for n_head, loss in found.items()}}
    return {"result": plain(found)}


def plain(number):
    """The number that a tensor or a NumPy scalar holds; anything else stays what it is."""
    return number.item() if hasattr(number, "item") and getattr(number, "ndim", 0) == 0 else number
