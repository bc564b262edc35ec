"""What a wrong head count breaks, the cutting or the scale: `python -m checkpoints.damage`.

A model that was told another head count cuts its channels at other places and divides its scores by another root.
Each can be had without the other, because a factor on the rows that make the queries is a factor on the scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import torch

from checkpoints import closed_form
from checkpoints.losses import Checkpoint, checkpoint, measure

TRAINED, LOADED = 16, 12


class Damage(NamedTuple):
    """Losses of one checkpoint: loaded rightly, with another head count, and with one half of that mistake each."""

    right: float
    wrong: float
    only_cut: float
    only_scale: float


def damage(given: Checkpoint, trained: int = TRAINED, loaded: int = LOADED) -> Damage:
    """Take the mistake apart. Cut as `loaded` heads, scores are divided by sqrt(C / loaded), which a factor mends."""
    mended = given._replace(state=with_scores_times(given.state, math.sqrt(trained / loaded)))
    spoilt = given._replace(state=with_scores_times(given.state, math.sqrt(loaded / trained)))
    asked = ((given, trained), (given, loaded), (mended, loaded), (spoilt, trained))
    return Damage(*(measure(each, n_head).loss for each, n_head in asked))


def with_scores_times(state: Mapping[str, torch.Tensor], factor: float) -> dict[str, torch.Tensor]:
    """The same weights with every score multiplied: the first third of qkv makes the queries."""
    changed = {}
    for name, weight in state.items():
        changed[name] = weight.clone()
        if name.endswith("qkv.weight"):
            changed[name][: len(weight) // 3] *= factor
    return changed


def main() -> None:
    """Print one line for each checkpoint with 16 heads of width 768, the closed form at two sharpnesses."""
    torch.set_num_threads(1)
    gentle = closed_form.state_dict(sharpness=5.0)
    found = [
        Checkpoint("closed_form", closed_form.state_dict(), closed_form.process),
        Checkpoint("closed_form, sharpness 5", gentle, closed_form.process),
        checkpoint(Path(__file__).parent / "look_back_16.npz"),
    ]
    print(f"{'loss':26}{TRAINED:>3} heads{LOADED:>3} heads  only cut  only scale")
    for given in found:
        right, wrong, only_cut, only_scale = damage(given)
        print(f"{given.name:26}{right:9.3f}{wrong:9.3f}{only_cut:10.3f}{only_scale:12.3f}")


if __name__ == "__main__":
    main()
