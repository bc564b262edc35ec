"""Checkpoints as files: half-precision arrays by name in a plain .npz, no pickle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

WIDTH = 768


def save(path: Path, state: Mapping[str, torch.Tensor]) -> None:
    """Write the weights rounded to float16, which halves the file and changes no loss in its first three digits."""
    arrays: dict[str, Any] = {name: w.half().numpy() for name, w in state.items()}
    np.savez_compressed(path, **arrays)


def load(path: Path) -> dict[str, torch.Tensor]:
    """The weights of a file, in float32."""
    with np.load(path, allow_pickle=False) as file:
        return {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files}


def inflate(small: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """An ordinary state dict of width 768 for a model whose residual stream was kept narrow while it was trained.

    The narrow stream of E channels becomes an E-dimensional subspace of 768 channels, spanned by a seeded orthonormal
    basis. What writes into the stream is multiplied by the basis and what reads from it by its transpose, so the
    function stays the same, while every matrix becomes a dense one of the usual shape.
    """
    narrow = small["tok.weight"].shape[1]
    basis = torch.from_numpy(_basis(narrow))  # (768, E)
    # The root of the mean square of a stream of E numbers shrinks when they are spread over 768.
    smaller = math.sqrt(narrow / WIDTH)
    full = {}
    for name, weight in small.items():
        w = weight.double()
        if name.endswith("out.weight"):
            w = basis @ w
        elif name.endswith("qkv.weight"):
            w = w @ basis.T * smaller
        else:
            w = w @ basis.T
        full[name] = w.float()
    return full


def _basis(narrow: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Orthonormal columns (768, narrow), always the same up to signs, which change no function."""
    q, _ = np.linalg.qr(np.random.default_rng(WIDTH).standard_normal((WIDTH, narrow)))
    return q
