"""The pictures of the lessons, drawn from the model answers and from shipped checkpoints."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from autograder.records import Picture
from autograder.report.layout import CELL
from autograder.report.svg import TOP, square, svg_picture
from checkpoints.losses import build, checkpoint
from checkpoints.model import Attention
from checkpoints.weights_alone import affinity

ROOT = Path(__file__).parents[2]
TOKENS, CATEGORY = ("the", "rain", "jacket", "is", "light", "packable"), [2, 0, 0, 2, 1, 1]
SHADES = 10
"""Large squares are drawn in so many steps of grey, one path for each."""


def pictures() -> dict[str, str]:
    """The text of every picture by its file name."""
    drawn: dict[str, Callable[[], str]] = {
        "a_mask.svg": mask, "a_two_heads.svg": two_heads, "b_three_cuts.svg": three_cuts, "e_maps.svg": error_maps,
        "f_16_as_12.svg": sixteen_as_twelve, "f_16_blocks.svg": sixteen_blocks, "g_specialists.svg": specialists,
    }  # fmt: skip
    return {name: draw() + "\n" for name, draw in drawn.items()}


def answer(exercise: str) -> dict[str, Any]:
    """What the model answer of an exercise defines."""
    return runpy.run_path(str(ROOT / "solutions" / exercise / "solution.py"))


def mask() -> str:
    """The mask upside down beside the right one, as `headcount check` draws them."""
    target = answer("a1_causal_mask")["causal_mask"](4)
    yours, wanted = (tuple(map(tuple, each.tolist())) for each in (target.T, target))
    drawn = svg_picture(Picture("4 tokens", yours, wanted, "the token that looks", "the token looked at"))
    return drawn.replace(">", f">{BACKGROUND}", 1)


def two_heads() -> str:
    """The attention of the two hand-built heads on the sentence of the lesson."""
    T = len(TOKENS)
    X = np.hstack([np.eye(T), np.eye(3)[CATEGORY]])
    W_q1, W_k1, W_q2, W_k2 = answer("a3_two_jobs_by_hand")["two_heads"](T, CATEGORY, 3)
    share = answer("a2_attention_weights")["attention_weights"]
    may_look = answer("a1_causal_mask")["causal_mask"](T)
    parts, left, names = [], 70, ("head 1: the token before", "head 2: the same category")
    for name, W_q, W_k in zip(names, (W_q1, W_q2), (W_k1, W_k2), strict=True):
        weights = share((X @ W_q) @ (X @ W_k).T, may_look)
        parts += [_text(left, TOP - 8, name), *square(weights.tolist(), left)]
        for place, token in enumerate(TOKENS):
            middle = (place + 0.5) * CELL
            parts.append(_text(left - 6, TOP + middle + 4, token, "end"))
            x, y = left + middle + 4, TOP + T * CELL + 8
            parts.append(f'<text x="{x:g}" y="{y}" text-anchor="end" transform="rotate(-60 {x:g} {y})">{token}</text>')
        left += T * CELL + 120
    return _svg(
        left - 40, TOP + T * CELL + 60, "Two heads on one sentence",
        "Two squares, row: the token that looks, column: the token looked at; the darker, the more. In head 1 the "
        "cells just left of the diagonal are dark and the first row is dark on the diagonal. In head 2 each row is "
        "dark where an earlier token, or the token itself, has its category.",
        parts,
    )  # fmt: skip


def three_cuts() -> str:
    """Which numbers of three tokens of width 4 go to head 0, for three ways to make (1, 2, 3, 2) of (1, 3, 4)."""
    x = np.arange(12).reshape(1, 3, 4)
    cuts = {
        "by channels: right": answer("b2_split_heads")["split_heads"](torch.from_numpy(x), 2).numpy(),
        "reshape at once": x.reshape(1, 2, 3, 2),
        "dealt like cards": x.reshape(1, 3, 2, 2).transpose(0, 3, 1, 2),
    }
    parts, wide = [], 26
    for place, (name, heads) in enumerate(cuts.items()):
        left = 10 + place * (4 * wide + 40)
        parts.append(_text(left, TOP - 8, name))
        for number in range(12):
            a, b = left + number % 4 * wide, TOP + number // 4 * wide
            shade = 0.3 if number in heads[0, 0] else 0
            parts.append(
                f'<rect x="{a}" y="{b}" width="{wide}" height="{wide}" stroke="currentColor" fill-opacity="{shade}"/>'
            )
            parts.append(_text(a + wide / 2, b + 17, str(number), "middle"))
    return _svg(
        3 * (4 * wide + 40), TOP + 3 * wide + 10, "Three cuts of the same twelve numbers",
        "Three tables, one row a token, one column a channel; dark is what head 0 gets. Right: the first two columns. "
        "Reshape at once: all of token 0 and half of token 1. Dealt like cards: the first and the third column.",
        parts,
    )  # fmt: skip


def error_maps() -> str:
    """Where the merged heads of four wrong modules are wrong, as the questions of e2 compute it."""
    names = {
        "no mask": "mask without effect", "no scale": "no scale",
        "one head lost": "wrong weights", "merge without transpose": "no transpose",
    }  # fmt: skip
    quiz = runpy.run_path(str(ROOT / "solutions" / "e2_name_the_symptom" / "quiz.py"))
    maps = quiz["_maps"](np.random.default_rng(0), *names)
    parts, left, (h, T) = [], 60, maps["no mask"].shape
    parts += [_text(left - 8, TOP + (head + 0.7) * CELL, f"head {head}", "end") for head in range(h)]
    for bug, name in names.items():
        parts += [_text(left, TOP - 8, name), *_cells(~maps[bug], left)]
        parts += [_text(left + (t + 0.5) * CELL, TOP + h * CELL + 16, str(t), "middle") for t in (0, T - 1)]
        left += T * CELL + 30
    return _svg(
        left - 10, TOP + h * CELL + 26, "Four error maps",
        "Four tables, one row a head, one column a position; dark is wrong. Mask without effect: the last column is "
        "right. No scale: the first column is right. Wrong weights: one row is wrong, the others are right. No "
        "transpose: right are the first cell of the first row and the last cell of the last row.",
        parts,
    )  # fmt: skip


def sixteen_as_twelve() -> str:
    """The first 192 channels, cut for 16 heads above and for 12 below, with the channels that each overlap counts."""
    mixture = answer("f2_who_meets_whom")["mixture"]
    across, scale, left = 192, 3, 110
    parts = [_text(left - 8, 45, "trained: 48 each", "end"), _text(left - 8, 125, "loaded: 64 each", "end")]
    for size, top in ((48, 25), (64, 105)):
        for head in range(across // size):
            x, wide = left + head * size * scale, size * scale
            box = f'<rect x="{x}" y="{top}" width="{wide}" height="32" stroke="currentColor" fill-opacity="0.08"/>'
            parts += [box, _text(x + wide / 2, top + 20, f"head {head}", "middle")]
    at = left
    for head in range(across // 64):
        for channels in mixture(head, 768, 16, 12).values():
            wide, shade = channels * scale, channels / 160
            box = f'<rect x="{at + 2}" y="60" width="{wide - 4}" height="42" fill-opacity="{shade:g}"/>'
            parts += [box, _text(at + wide / 2, 86, str(channels), "middle")]
            at += wide
    parts += [_text(left + c * scale, 17, str(c), "middle") for c in (0, 48, 96, 144, 192)]
    parts += [_text(left + c * scale, 153, str(c), "middle") for c in (0, 64, 128, 192)]
    return _svg(
        left + across * scale + 20, 162, "16 trained heads meet in 12 loaded ones",
        "Channels 0 to 191 as two bars. The upper one is cut into 4 trained heads of 48 channels, the lower one into "
        "3 loaded heads of 64. Between them stands how many channels pass: loaded head 0 gets 48 of trained head 0 "
        "and 16 of head 1; head 1 gets 32 of head 1 and 32 of head 2; head 2 gets 16 of head 2 and 48 of head 3.",
        parts,
    )  # fmt: skip


def sixteen_blocks() -> str:
    """Which channels of a trained layer pull together, averaged over squares of 24 by 24 channels."""
    given = checkpoint(ROOT / "checkpoints" / "look_back_16.npz")
    table = affinity(given.state["blocks.0.qkv.weight"]).reshape(32, 24, 32, 24).mean((1, 3))
    cell = 9
    side = 32 * cell
    parts = [*_shaded((table / table.max()).numpy(), cell, 10, 10), _frame(10, 10, side)]
    return _svg(
        side + 20, side + 20, "Sixteen blocks in the weights",
        "A square of 768 by 768 channels. Along the diagonal lie 16 dark blocks of 48 by 48 channels, and nearly "
        "nothing elsewhere.", parts,
    )  # fmt: skip


def specialists() -> str:
    """A head of the first layer and one of the second of the trained model, on a word of 8 letters, twice."""
    parts, cell, left = [], 13, 10
    for layer, weights in enumerate(trained_weights()):
        score = answer("g1_find_the_specialists")["induction_score" if layer else "previous_token_score"]
        scores = score(weights, 8) if layer else score(weights)
        head = int(scores.argmax())
        job = "what came next" if layer else "the token before"
        parts.append(_text(left, TOP - 8, f"layer {layer}, head {head}: {job}"))
        parts += [*_shaded(weights[head], cell, left, TOP), _frame(left, TOP, len(weights[head]) * cell)]
        left += len(weights[head]) * cell + 50
    return _svg(
        left - 30, TOP + 16 * cell + 10, "Two trained heads",
        "Two squares of 16 by 16 tokens, row: the token that looks. In the first a dark line runs just left of the "
        "diagonal and pales in the last rows; in the second it runs seven tokens left of it, in the last eight rows.",
        parts,
    )  # fmt: skip


def trained_weights() -> Iterator[NDArray[np.float64]]:
    """The attention (h, T, T) of each layer of the shipped specialists, on a word of 8 letters and the same again."""
    model = build(checkpoint(ROOT / "checkpoints" / "specialists_8.npz").state, n_head=8)
    tokens = torch.arange(8).repeat(2)[None] * 5 % 16
    x = model.tok(tokens) + model.pos.weight[: tokens.shape[1]]
    with torch.no_grad():
        for block in model.blocks:
            assert isinstance(block, Attention)
            normed = torch.nn.functional.rms_norm(x, x.shape[-1:])
            q, k, _ = (part.unflatten(-1, (block.n_head, -1)) for part in block.qkv(normed).chunk(3, dim=-1))
            yield block.weights(q, k)[0].double().numpy()
            x = x + block(normed)


BACKGROUND = '<rect width="100%" height="100%" fill="#fff"/>'


def _svg(width: float, height: float, title: str, desc: str, parts: Sequence[str]) -> str:
    """A picture on white, since an image in a page cannot know the colour of the page."""
    head = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img"'
    style = 'font-family="sans-serif" font-size="12" color="#000" fill="currentColor"'
    told = f"<title>{escape(title)}</title><desc>{escape(desc)}</desc>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head} {style}>{told}{BACKGROUND}{"".join(parts)}</svg>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _cells(dark: NDArray[np.bool_], left: int) -> Iterator[str]:
    for (row, column), shade in np.ndenumerate(dark * 0.7):
        place = f'x="{left + column * CELL}" y="{TOP + row * CELL}" width="{CELL}" height="{CELL}"'
        yield f'<rect {place} stroke="currentColor" fill-opacity="{shade:g}"/>'


def _frame(x: float, y: float, side: float) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" fill="none" stroke="currentColor"/>'


def _shaded(values: NDArray[np.float64], cell: int, left: int, top: int) -> Iterator[str]:
    """A large square as one path for each shade; what is lighter than the first is left white."""
    steps = np.rint(values.clip(0, 1) * SHADES).astype(int)
    for step in range(1, SHADES + 1):
        cells = (f"M{left + c * cell} {top + r * cell}h{cell}v{cell}h-{cell}z" for r, c in np.argwhere(steps == step))
        if path := "".join(cells):
            yield f'<path d="{path}" fill-opacity="{step / SHADES:g}"/>'
