"""Train a checkpoint and write it: `python -m checkpoints.train look_back`. Takes minutes; never part of a test."""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from checkpoints import tasks
from checkpoints.model import LanguageModel
from checkpoints.store import save


@dataclass(frozen=True)
class Recipe:
    """Everything a training depends on."""

    task: tasks.Task
    n_head: int
    vocabulary: int
    context: int
    width: int
    inner: int
    layers: int
    steps: int
    batch: int = 48
    rate: float = 3e-3
    seed: int = 0


RECIPES = {
    "look_back": Recipe(
        tasks.look_back, n_head=16, vocabulary=32, context=48, width=96, inner=768, layers=1, steps=1500
    ),
    "copy": Recipe(tasks.copy, n_head=16, vocabulary=16, context=24, width=48, inner=48, layers=2, steps=500),
    "specialists": Recipe(tasks.repeats, n_head=8, vocabulary=16, context=24, width=64, inner=64, layers=2, steps=1000),
}


def train(recipe: Recipe, n_head: int) -> dict[str, torch.Tensor]:
    """The state dict after training with one thread, the same on every call with the same version of torch."""
    torch.set_num_threads(1)
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    model = LanguageModel(recipe.vocabulary, recipe.context, recipe.width, n_head, recipe.layers, recipe.inner)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=1 / math.sqrt(parameter.shape[-1]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.rate, betas=(0.9, 0.98), weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, recipe.steps))
    for step in range(recipe.steps):
        tokens, follows = map(torch.from_numpy, recipe.task(recipe.batch, rng))
        wanted = follows[:, 1:]
        loss = functional.cross_entropy(model(tokens[:, :-1])[wanted], tokens[:, 1:][wanted])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"step {step:5}  loss {loss.item():.4f}  {time.process_time():.0f} s", flush=True)
    return model.state_dict()


def _rate(step: int, steps: int, warm: int = 40) -> float:
    """A short climb, then half a cosine down to a twentieth."""
    return min(1.0, (step + 1) / warm) * (0.05 + 0.475 * (1 + math.cos(math.pi * step / steps)))


def main() -> None:
    """Train one recipe, with its own head count or another, and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m checkpoints.train", description=__doc__)
    parser.add_argument("recipe", choices=RECIPES)
    parser.add_argument("--n-head", type=int, help="train with another number of heads")
    parser.add_argument("--out", type=Path, help="where to write; default: checkpoints/<recipe>_<heads>.npz")
    given = parser.parse_args()
    recipe = RECIPES[given.recipe]
    n_head = recipe.n_head if given.n_head is None else given.n_head
    if n_head < 1 or recipe.inner % n_head:
        parser.error(f"width {recipe.inner} cannot be cut into {n_head} equal heads")
    path = given.out or Path(__file__).parent / f"{given.recipe}_{n_head}.npz"
    if path.suffix != ".npz" or not path.parent.is_dir():
        parser.error(f"{path}: give the name of an .npz file in a folder that exists")
    save(path, train(recipe, n_head))
    print(f"wrote {path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
