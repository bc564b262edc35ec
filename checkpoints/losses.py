"""What every checkpoint loses with every head count it can be loaded with: `python -m checkpoints.losses [FILE ...]`.

Without files it measures the closed form and all that is shipped.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
import torch
from torch.nn import functional

from checkpoints import closed_form, tasks
from checkpoints.model import LanguageModel
from checkpoints.store import inflate, load

HERE = Path(__file__).parent
TASKS: dict[str, tasks.Task] = {"look_back": tasks.look_back, "copy": tasks.copy, "specialists": tasks.repeats}
MOST_HEADS = 48
"""No larger head count is tried."""


class Checkpoint(NamedTuple):
    """A state dict of `LanguageModel`, and what it was trained to predict."""

    name: str
    state: Mapping[str, torch.Tensor]
    task: tasks.Task


class Measured(NamedTuple):
    """Mean loss in nats, and the share of right guesses, over the tokens that can be predicted."""

    loss: float
    accuracy: float


def checkpoint(path: Path) -> Checkpoint:
    """The checkpoint of a file whose name says what it was trained on; trained in a narrow stream, it comes inflated.

    Raises ValueError where the name begins with no task or the file holds no such weights.
    """
    task = TASKS.get(path.stem.rpartition("_")[0])
    if task is None:
        raise ValueError(f"{path}: the name must begin with what it was trained on: {', '.join(TASKS)}")
    try:
        state = load(path)
        rows, width = state["blocks.0.qkv.weight"].shape
        given = Checkpoint(path.stem, state if rows == 3 * width else inflate(state), task)
        build(given.state, n_head=1)
    except (KeyError, OSError, EOFError, RuntimeError, ValueError, BadZipFile) as problem:
        raise ValueError(f"{path}: holds no weights of this kind ({type(problem).__name__})") from problem
    return given


def named(parser: argparse.ArgumentParser, files: Sequence[Path]) -> list[Checkpoint]:
    """The checkpoints that a command line names; where one cannot be read, one line says so and the program ends."""
    try:
        return [checkpoint(path) for path in files]
    except ValueError as problem:
        parser.error(str(problem))


def shipped() -> Iterator[Checkpoint]:
    """The closed form, and every file beside this one."""
    yield Checkpoint("closed_form", closed_form.state_dict(), closed_form.process)
    yield from map(checkpoint, sorted(HERE.glob("*.npz")))


def build(state: Mapping[str, torch.Tensor], n_head: int) -> LanguageModel:
    """A model of the sizes of a state dict, loaded with it. No size tells the number of heads, so it has to be said.

    Raises ValueError where `n_head` does not divide the width.
    """
    (vocabulary, width), context = state["tok.weight"].shape, len(state["pos.weight"])
    layers = sum(name.endswith("qkv.weight") for name in state)
    model = LanguageModel(vocabulary, context, width, n_head, layers)
    model.load_state_dict(state, strict=True)
    return model.eval()


def measure(given: Checkpoint, n_head: int, batch: int = 128, seed: int = 99) -> Measured:
    """Loss and accuracy on a fixed draw of sequences that no training has seen."""
    tokens, follows = map(torch.from_numpy, given.task(batch, np.random.default_rng(seed)))
    wanted = follows[:, 1:]
    with torch.no_grad():
        logits = build(given.state, n_head)(tokens[:, :-1])[wanted]
    right = tokens[:, 1:][wanted]
    loss = functional.cross_entropy(logits.double(), right)  # a small loss is a difference of nearly equal numbers
    return Measured(loss.item(), (logits.argmax(-1) == right).float().mean().item())


def head_counts(state: Mapping[str, torch.Tensor]) -> list[int]:
    """Every head count that the weights load with, up to 48."""
    width = state["tok.weight"].shape[1]
    return [n for n in range(1, min(width, MOST_HEADS) + 1) if width % n == 0]


def main() -> None:
    """Print one line for each checkpoint and head count."""
    parser = argparse.ArgumentParser(prog="python -m checkpoints.losses", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    torch.set_num_threads(1)
    for given in named(parser, parser.parse_args().files) or shipped():
        print(f"\n{given.name}\nn_head      loss  accuracy")
        for n_head in head_counts(given.state):
            loss, accuracy = measure(given, n_head)
            print(f"{n_head:6}  {loss:8.3g}  {accuracy:8.3f}")


if __name__ == "__main__":
    main()
