"""Train one tiny language model with each bug and write its loss curves to curves.json.

Every sequence is 12 random tokens and then the same 12 again. Nobody can foresee the random half, so its loss cannot
fall below ln 16 unless a token sees its successor; the repeated half can be foreseen. At the end each model writes the
repeated half itself, one token after the other: there is no future to look at then.

    python solutions/e2_name_the_symptom/curves.py
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

TOKENS, HALF, WIDTH, HEADS = 16, 12, 48, 6
LENGTH = 2 * HALF - 1
STEPS, EVERY = 400, 50
BUGS = ("right", "no scale", "mask one late", "merge without transpose", "interleaved")


class Attention(nn.Module):
    """Causal multi-head attention with one bug."""

    def __init__(self, bug: str) -> None:
        super().__init__()
        self.bug = bug
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, C) to (B, T, C)."""
        B, T, C = x.shape
        q, k, v = (self.heads(part) for part in self.qkv(x).split(C, dim=-1))  # (B, h, T, d)
        scores = q @ k.transpose(-2, -1)  # (B, h, T, T)
        if self.bug != "no scale":
            scores = scores / math.sqrt(C // HEADS)
        hidden = torch.ones(T, T).triu(2 if self.bug == "mask one late" else 1).bool()
        y = scores.masked_fill(hidden, -torch.inf).softmax(dim=-1) @ v  # (B, h, T, d)
        if self.bug == "interleaved":
            y = y.permute(0, 2, 3, 1)  # (B, T, d, h)
        elif self.bug != "merge without transpose":
            y = y.transpose(1, 2)  # (B, T, h, d)
        return self.out(y.reshape(B, T, C))

    def heads(self, x: Tensor) -> Tensor:
        """(B, T, C) to (B, h, T, d)."""
        B, T, C = x.shape
        if self.bug == "interleaved":
            return x.view(B, T, C // HEADS, HEADS).permute(0, 3, 1, 2)
        return x.view(B, T, HEADS, C // HEADS).transpose(1, 2)


class Model(nn.Module):
    """One block between two embeddings and an output layer."""

    def __init__(self, bug: str) -> None:
        super().__init__()
        self.token, self.place = nn.Embedding(TOKENS, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.before, self.attention = nn.LayerNorm(WIDTH), Attention(bug)
        self.between = nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
        self.last, self.scores = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, TOKENS, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """(B, T) to (B, T, V)."""
        x = self.token(tokens) + self.place(torch.arange(tokens.shape[1]))
        x = x + self.attention(self.before(x))
        return self.scores(self.last(x + self.mlp(self.between(x))))


def sequences(count: int, generator: torch.Generator) -> Tensor:
    """(count, 2 * HALF): random tokens, twice."""
    half = torch.randint(0, TOKENS, (count, HALF), generator=generator)
    return torch.cat([half, half], dim=1)


def losses(model: Model, tokens: Tensor) -> tuple[float, float]:
    """The mean loss of the random and of the repeated half, in nats."""
    with torch.no_grad():
        each = functional.cross_entropy(model(tokens[:, :-1]).transpose(1, 2), tokens[:, 1:], reduction="none")
    return round(each[:, : HALF - 1].mean().item(), 3), round(each[:, HALF:].mean().item(), 3)


def written(model: Model, tokens: Tensor) -> float:
    """The share of right tokens when the model writes the repeated half itself, after its first token."""
    own = tokens[:, : HALF + 1]
    with torch.no_grad():
        while own.shape[1] < 2 * HALF:
            own = torch.cat([own, model(own)[:, -1].argmax(dim=-1, keepdim=True)], dim=1)
    return round((own[:, HALF + 1 :] == tokens[:, HALF + 1 :]).float().mean().item(), 2)


def train(bug: str) -> dict[str, object]:
    """Loss curves and the generation accuracy of one model."""
    torch.manual_seed(0)
    model = Model(bug)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    generator = torch.Generator().manual_seed(1)
    fresh = sequences(512, torch.Generator().manual_seed(2))
    curve = [(0, *losses(model, fresh))]
    for step in range(1, STEPS + 1):
        tokens = sequences(64, generator)
        loss = functional.cross_entropy(model(tokens[:, :-1]).transpose(1, 2), tokens[:, 1:])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % EVERY == 0:
            curve.append((step, *losses(model, fresh)))
    return {"curve": curve, "written": written(model, fresh)}


if __name__ == "__main__":
    torch.set_num_threads(1)
    found = {bug: train(bug) for bug in BUGS}
    for bug, result in found.items():
        print(f"{bug:24}", *(f"{a:.2f}/{b:.2f}" for _, a, b in result["curve"]), f"writes {result['written']:.2f}")
    text = ",\n".join(f" {json.dumps(bug)}: {json.dumps(result)}" for bug, result in found.items())
    Path(__file__).with_name("curves.json").write_text(f"{{\n{text}\n}}\n", "utf-8")
