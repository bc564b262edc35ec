"""A rehearsal: the zygote answers questions about files of our own, so that its forks need not do things for the first
time.

What Python and the libraries set up at first use (late imports, caches of types and methods, specialised bytecode, the
dispatch of the linear algebra) is set up here once and inherited. In a worker each of these first times would cost time
and a private copy of every page it writes to. The code that runs here is part of the engine; no learner's ever does.
"""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Iterator, Sequence

from autograder.plain import Array, Plain
from autograder.sandbox import reading, wire, worker

#: Python specialises a piece of code after it has run eight times.
ROUNDS = 10
FILE = "rehearsal.py"
NUMPY = '''
"""What answers are made of: functions, classes, loops, and the operations of NumPy."""
import math
from dataclasses import dataclass
import numpy as np


@dataclass(frozen=True)
class Shape:
    rows: int
    width: int = 4

    @property
    def size(self) -> int:
        return self.rows * self.width


def answer(x, n: int, *, scale: float = 0.5):
    """Reshape, weigh, mask and reduce."""
    if x.ndim != 3:
        raise ValueError(f"wanted three axes, got {x.ndim}")
    B, T, C = x.shape
    parts = x.reshape(B, T, n, C // n).transpose(0, 2, 1, 3)
    scores = parts @ np.swapaxes(parts, -2, -1) / math.sqrt(C / n) * scale
    hidden = np.triu(np.ones((T, T), dtype=bool), k=1)
    scores = np.where(hidden, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    mean = np.einsum("bhij,bhjd->bhid", weights, parts)
    rows = [row for row in np.concatenate([mean, np.zeros_like(mean)], axis=-1)]
    total = {name: float(value.mean()) for name, value in zip("ab", rows)}
    print("total", total)
    return np.stack(rows), mean, Shape(T).size, total, np.arange(T)


def clash(x):
    """What wrong answers run into."""
    for wrong in (lambda: x @ x, lambda: x + x[..., :3], lambda: x.transpose(0, 3, 1, 2)):
        try:
            wrong()
        except ValueError as error:
            print(error)
    return x.reshape(7)
'''
TORCH = '''
"""What answers are made of: functions, modules, and the operations of torch."""
from __future__ import annotations
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class Layer(nn.Module):
    def __init__(self, width: int, n: int = 2, bias: bool = True):
        super().__init__()
        self.n = n
        self.inner = nn.Linear(width, 3 * width, bias=bias)
        self.outer = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.LayerNorm(width), nn.Dropout(0.1))
        self.table = nn.Embedding(8, width)
        self.gain = nn.Parameter(torch.ones(width))
        self.register_buffer("mask", torch.tril(torch.ones(8, 8)).view(1, 1, 8, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        B, T, C = x.size()
        q, k, v = self.inner(x).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.n, C // self.n).transpose(1, 2) for t in (q, k, v))
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(C // self.n)
        scores = scores.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        y = (F.softmax(scores, dim=-1) @ v).transpose(1, 2).contiguous().view(B, T, C)
        return self.outer(y + self.table(torch.arange(T))) * self.gain


def answer(x: torch.Tensor, n: int, *, scale: float = 0.5):
    """Reshape, weigh, mask and reduce."""
    if x.dim() != 3:
        raise ValueError(f"wanted three axes, got {x.dim()}")
    B, T, C = x.shape
    assert C % n == 0
    parts = x.reshape(B, T, n, C // n).permute(0, 2, 1, 3)
    hidden = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    weights = (parts @ parts.mT * scale).masked_fill(hidden, -torch.inf).softmax(-1)
    mean = torch.einsum("bhij,bhjd->bhid", weights, parts)
    mean = torch.cat([mean[..., :1], mean[..., 1:]], dim=-1)
    return mean.transpose(1, 2).reshape(B, T, C)


def layer(x: torch.Tensor, width: int):
    torch.manual_seed(0)
    made = Layer(width).eval()
    with torch.no_grad():
        y = made(x)
    count = sum(p.numel() for p in made.parameters() if p.requires_grad)
    large = nn.Linear(4 * width, 4 * width, bias=False)(torch.randn(width, 4 * width))
    return [y, y.abs().max().item(), count, torch.isnan(large).any(), [name for name, _ in made.named_parameters()]]


def clash(x: torch.Tensor):
    """What wrong answers run into."""
    mask = torch.ones(3, 3, dtype=torch.bool)
    for wrong in (
        lambda: x @ x,
        lambda: x + x[..., :3],
        lambda: x.double() @ x.mT,
        lambda: x.permute(0, 3, 1, 2),
        lambda: x.transpose(1, 2).view(-1),
        lambda: x.masked_fill(mask, 0.0),
        lambda: torch.cat([x, x[0]]),
        lambda: nn.Linear(5, 5)(x),
        lambda: F.softmax(x, dim=7),
    ):
        try:
            wrong()
        except (RuntimeError, IndexError) as error:
            print(error)
    return x.view(7)
'''


def rehearse(libraries: Sequence[str]) -> None:
    """Answer questions like a worker would, with what these libraries offer, and leave no trace by name."""
    silent = os.open(os.devnull, os.O_WRONLY)
    for frames in questions(libraries):
        asked, ask = os.pipe()
        os.write(ask, b"".join(frames))  # a few kilobytes: they fit into the pipe
        os.close(ask)
        worker.serve(asked, silent)
        os.close(asked)
    os.close(silent)
    linecache.cache.pop(FILE, None)
    reading.forget()
    sys.modules.pop("submission", None)


def questions(libraries: Sequence[str]) -> Iterator[list[bytes]]:
    """For each library and round: load a file, then call what it defines, wrongly too."""
    if not libraries:
        return
    x = Array.of([[[i * j % 7 / 7 - 0.5 for j in range(32)] for i in range(4)]] * 2, "float32")
    answer: list[tuple[str, Plain]] = [("answer", {"x": x, "n": 4}), ("answer", {"x": 1, "n": 4}), ("clash", {"x": x})]
    layer: list[tuple[str, Plain]] = [("layer", {"x": x, "width": 32})]
    for library, source, calls in (("numpy", NUMPY, answer), ("torch", TORCH, answer + layer)):
        load: dict[str, Plain] = {"ask": "load", "source": source, "file": FILE, "driver": None, "library": library}
        load |= {"shared": True, "ready_made": ["ready_made"], "number": 1}
        for _ in range(ROUNDS if library in libraries else 0):
            frames = [wire.frame(load)]
            for gradient in (False, library == "torch"):
                call: dict[str, Plain] = {"ask": "call", "gradient": gradient, "scattered": [], "number": 1}
                frames += [wire.frame({**call, "call": name, "inputs": inputs}) for name, inputs in calls]
            yield frames
