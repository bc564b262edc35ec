"""How a worker questions what_survives: it builds the two models out of plain weights. It knows of no right answer."""

import math

import torch
from torch import nn
from torch.nn import functional


class Model(nn.Module):
    """Tokens (B, T) to logits (B, T, V): embeddings, attention layers on a residual stream, a readout."""

    def __init__(self, weights):
        super().__init__()
        self.n_head = weights["n_head"]
        for name, weight in weights.items():
            if name != "n_head":
                self.register_buffer(name, weight)

    def forward(self, tokens):
        """Read a batch of sequences."""
        x = self.tok[tokens] + self.pos[: tokens.shape[-1]]
        for qkv, out in zip(self.qkv, self.out, strict=True):
            x = x + self.attend(functional.rms_norm(x, x.shape[-1:]) @ qkv.T) @ out.T
        return x @ self.head.T

    def attend(self, qkv):
        """The merged heads (B, T, C) of queries, keys and values (B, T, 3C)."""
        q, k, v = (part.unflatten(-1, (self.n_head, -1)) for part in qkv.chunk(3, dim=-1))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
        future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(diagonal=1)
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(-2)


def drive(learner, inputs, ask):
    """Without models it is the reason that is asked for. Positions may come as any kind of whole number."""
    if "tokens" not in inputs:
        return {"result": learner["why_it_survives"]()}
    models = [Model(inputs[name]).eval() for name in ("model_a", "model_b")]
    found = learner["surviving_positions"](*models, inputs["tokens"])
    return {"result": whole(found.tolist() if hasattr(found, "tolist") else found)}


def whole(found):
    """Tensors and NumPy numbers in a list count as the numbers they hold; anything else stays what it is."""
    if not isinstance(found, (list, tuple)):
        return found
    return [place.item() if hasattr(place, "item") and getattr(place, "ndim", 0) == 0 else place for place in found]
