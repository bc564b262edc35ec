"""The checkpoints are what their README says: sizes, head counts, and losses that a command prints again."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from checkpoints import closed_form, losses, tasks, weights_alone
from checkpoints.damage import damage
from checkpoints.model import LanguageModel
from checkpoints.store import inflate, load
from checkpoints.train import RECIPES, train
from tests.conftest import ROOT

CHECKPOINTS = ROOT / "checkpoints"
SHIPPED = sorted(CHECKPOINTS.glob("*.npz"))
HIDDEN = sorted((ROOT / "solutions").glob("*/*.npz"))
README = (CHECKPOINTS / "README.md").read_text("utf-8")
LOOK_BACK = losses.checkpoint(CHECKPOINTS / "look_back_16.npz")
CLOSED_FORM = losses.Checkpoint("closed_form", closed_form.state_dict(), closed_form.process)


def rows(name: str) -> dict[int, tuple[float, float]]:
    """What the README says a checkpoint loses, by head count."""
    table = README.split(f"\n{name}\nn_head")[1].split("\n\n")[0].split("```")[0]
    found = re.findall(r"^ +(\d+) +(\S+) +(\S+)$", table, re.MULTILINE)
    return {int(n_head): (float(loss), float(accuracy)) for n_head, loss, accuracy in found}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["closed_form", *(path.stem for path in SHIPPED)])
def test_losses_are_those_of_the_readme(name: str) -> None:
    """Every head count loads with strict=True, and its loss is the README's to three digits."""
    given = CLOSED_FORM if name == "closed_form" else losses.checkpoint(CHECKPOINTS / f"{name}.npz")
    said = rows(name)
    assert list(said) == losses.head_counts(given.state)
    for n_head in said:
        measured = losses.measure(given, n_head)
        assert measured.loss == pytest.approx(said[n_head][0], rel=1e-2)
        assert measured.accuracy == pytest.approx(said[n_head][1], abs=2e-3)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_least_loss_is_at_the_trained_head_count(path: Path) -> None:
    """The head count in a file's name is the one with which it loses least."""
    said = rows(path.stem)
    assert min(said, key=lambda n_head: said[n_head][0]) == int(path.stem.rpartition("_")[2])


def test_sixteen_heads_know_and_twelve_do_not() -> None:
    """The trained checkpoint of the story loses next to nothing with 16 heads and more than 1 nat with 12."""
    said = rows("look_back_16")
    assert said[16][0] < 0.05
    assert said[12][0] > 1.0


def test_the_closed_form_is_its_own_oracle() -> None:
    """With 16 heads it loses what the process that draws the sequences would lose, to a thousandth."""
    tokens, follows = closed_form.process(128, np.random.default_rng(99))
    chances = np.take_along_axis(closed_form.oracle(tokens[:, :-1]), tokens[:, 1:, None], axis=-1)[..., 0]
    assert losses.measure(CLOSED_FORM, 16).loss == pytest.approx(-chances[follows[:, 1:]].mean(), abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("path", HIDDEN, ids=lambda path: path.stem)
def test_hidden_checkpoints_have_another_head_count(path: Path) -> None:
    """Whoever guesses 16, the number of the story, is wrong about every hidden checkpoint."""
    given = losses.checkpoint(path)
    found = {n_head: losses.measure(given, n_head, batch=24).loss for n_head in losses.head_counts(given.state)}
    best = min(found, key=found.__getitem__)
    assert best != 16
    assert found[best] < 0.05
    assert sorted(found.values())[1] > 0.02


def test_inflating_keeps_the_function() -> None:
    """The dense state dict of width 768 computes what the narrow one computed in training."""
    small = load(CHECKPOINTS / "look_back_16.npz")
    narrow = LanguageModel(32, 48, small["tok.weight"].shape[1], 16, inner=768)
    narrow.load_state_dict(small)
    wide = losses.build(inflate(small), 16)
    tokens = torch.from_numpy(tasks.look_back(4, np.random.default_rng(1))[0][:, :-1])
    with torch.no_grad():
        torch.testing.assert_close(wide(tokens), narrow(tokens), rtol=1e-3, atol=1e-3)


def test_cutting_does_the_damage_and_the_scale_does_not() -> None:
    """Cut wrongly, with the right scale, the model is lost; cut rightly, with the wrong scale, it hardly notices."""
    found = damage(LOOK_BACK)
    assert found.only_cut > 1.0
    assert found.only_scale < 0.05


def test_the_head_count_can_be_read_off_the_weights() -> None:
    """The look-back weights tell their 16 heads without being run."""
    found = weights_alone.fits(LOOK_BACK.state)
    assert max(found, key=found.__getitem__) == 16


def test_everything_together_is_small() -> None:
    """All weights that are committed take less than 5 MB."""
    assert sum(path.stat().st_size for path in [*SHIPPED, *HIDDEN]) < 5_000_000


def test_training_twice_gives_the_same_weights() -> None:
    """A recipe draws all its chance from its seed."""
    few = replace(RECIPES["copy"], steps=3, batch=4)
    first, second = train(few, 8), train(few, 8)
    assert all(torch.equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize(
    ("command", "name", "content"),
    [
        ("losses", "copy_9.npz", None),
        ("losses", "copy_9.npz", b"PK no archive"),
        ("losses", "notes_9.npz", b"hello"),
        ("weights_alone", "copy_9.npz", b""),
    ],
    ids=["missing", "broken", "another name", "empty"],
)
def test_a_file_that_is_no_checkpoint(tmp_path: Path, command: str, name: str, content: bytes | None) -> None:
    """One line names the file and the fault, and the status is not 0."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    program = [sys.executable, "-m", f"checkpoints.{command}", tmp_path / name]
    run = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert name in run.stderr.splitlines()[-1]
    assert "Traceback" not in run.stderr
