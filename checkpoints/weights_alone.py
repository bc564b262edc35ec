"""Read the head count off the weights, without running anything: `python -m checkpoints.weights_alone FILE ...`.

Two channels of one head push the same score in training, channels of two heads never meet. So where channels i and j
belong together, (q_i . q_j) (k_i . k_j) tends to be large. That table is compared with the blocks of every candidate.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import torch

from checkpoints.losses import head_counts, named


def affinity(qkv_weight: torch.Tensor) -> torch.Tensor:
    """How much each pair of channels (C, C) pulls together, from the fused weight (3C, C); 0 on the diagonal."""
    q, k, _ = qkv_weight.double().chunk(3)
    return ((q @ q.T) * (k @ k.T)).fill_diagonal_(0.0)


def fit(table: torch.Tensor, n_head: int) -> float:
    """The correlation of an affinity table with blocks of C / n_head neighbours, over all pairs of two channels."""
    C = len(table)
    head = torch.arange(C) * n_head // C
    pairs = ~torch.eye(C, dtype=torch.bool)
    together = (head[:, None] == head)[pairs].double()
    return torch.corrcoef(torch.stack([table[pairs], together]))[0, 1].item()


def fits(state: Mapping[str, torch.Tensor], layer: int = 0) -> dict[int, float]:
    """The fit of every head count that is neither one head nor heads of one channel."""
    table = affinity(state[f"blocks.{layer}.qkv.weight"])
    return {n_head: fit(table, n_head) for n_head in head_counts(state) if 1 < n_head < len(table)}


def main() -> None:
    """Print the fit of every head count for the first layer of each file."""
    parser = argparse.ArgumentParser(prog="python -m checkpoints.weights_alone", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    for given in named(parser, parser.parse_args().files):
        found = fits(given.state)
        print(f"{given.name}: " + "  ".join(f"{n_head}: {value:.3f}" for n_head, value in found.items()))


if __name__ == "__main__":
    main()
