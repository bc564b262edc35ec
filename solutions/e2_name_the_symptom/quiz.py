"""Goal: read off where numbers are wrong, and off a loss curve, what the bug can be; and say so where nothing tells.

An error map compares what enters the output projection with what enters it in a right module. Of its C channels the
first d are the row of head 0, the next d that of head 1, and so on; a column is a position. "." stands where the
numbers agree, "#" where they do not.

The curves come from small models, one for each bug, all trained alike (curves.py in this exercise's folder of
solutions/ trains them and writes down what it measured). Each sequence is 12 tokens drawn at random from 16, and then
the same 12 again. Losses are in nats: minus the natural logarithm of the probability that the model gave to the token
that came.
"""

import json
import math
from pathlib import Path

import numpy as np

from autograder.quiz import Choice, Number, OneOf, Wrong

CURVES = json.loads(Path(__file__).with_name("curves.json").read_text("utf-8"))
TOKENS = 16
FLOOR = math.log(TOKENS)
#: Curves of models that end well below what nobody can foresee, and of those that do not.
LEAKING = [bug for bug, found in CURVES.items() if found["curve"][-1][1] < FLOOR - 0.5]
HONEST = [bug for bug in CURVES if bug not in LEAKING]


def map_last(rng):
    maps = _maps(rng, "no mask", "mask one late", "no scale", "merge without transpose")
    return _map_question(
        maps["no mask"],
        (
            Choice(
                "The future is not hidden, wholly or in part",
                "The last row has no future, so a mask that lets too much through cannot spoil it.",
                right=_same(maps, "no mask", "mask one late"),
            ),
            Choice(
                "The scale is missing",
                "Then position 0 would be right: alone with itself, a token needs no scale.",
                slug="scale-missing",
            ),
            Choice(
                "The heads were merged without transposing back",
                "Then head 0 would be right at position 0, and the last head at the last.",
                slug="merge-without-transpose",
            ),
            Choice(
                "Nobody can tell",
                "One position is right in every head, and it is the one without a future. That says a lot.",
            ),
        ),
    )


def map_first(rng):
    maps = _maps(rng, "no scale", "divided by d", "interleaved", "no mask")
    return _map_question(
        maps["no scale"],
        (
            Choice(
                "The scale is missing",
                "It could be. But other scales and interleaved heads give the very same map.",
                slug="map-names-too-much",
            ),
            Choice(
                "The scores were divided by d instead of its root",
                "It could be, and so could no scale at all.",
                slug="map-names-too-much",
            ),
            Choice(
                "Scale or grouping of channels: which one cannot be told from this map",
                "Position 0 sees only itself, whatever the scores are. All of these are wrong everywhere else.",
                right=_same(maps, "no scale", "divided by d", "interleaved"),
            ),
            Choice(
                "The mask has no effect", "Then the last position would be right, not the first.", slug="mask-missing"
            ),
        ),
    )


def map_corners(rng):
    maps = _maps(rng, "merge without transpose", "no mask", "no scale", "one head lost")
    corners = _only_corners(maps["merge without transpose"])
    return _map_question(
        maps["merge without transpose"],
        (
            Choice(
                "The heads were merged without transposing back",
                "Read head by head, memory agrees with the right order only at its very first and very last block.",
                right=corners,
            ),
            Choice(
                "The mask has no effect", "Then the last position would be right in every head.", slug="mask-missing"
            ),
            Choice(
                "One head reads the weights of another",
                "Then the other heads would be right.",
                slug="heads-share-weights",
            ),
            Choice("The scale is missing", "Then position 0 would be right in every head.", slug="scale-missing"),
        ),
    )


def map_head(rng):
    maps = _maps(rng, "one head lost", "merge without transpose", "no mask", "no scale")
    return _map_question(
        maps["one head lost"],
        (
            Choice(
                "One head reads the weights of another",
                "All others are right at every position, so attention itself works.",
                right=_one_row(maps["one head lost"]),
            ),
            Choice("The mask has no effect", "A mask is the same for all heads.", slug="mask-missing"),
            Choice(
                "The heads were merged without transposing back",
                "That mixes all heads.",
                slug="merge-without-transpose",
            ),
            Choice(
                "The number of heads is wrong",
                "Then every head would have other channels than it should.",
                slug="ignores-n-head",
            ),
        ),
    )


def floor(rng):
    tokens = int(rng.integers(5, 121))
    return Number(
        ask=f"""
            Every token is drawn at random from {tokens}, all equally likely. What is the lowest mean loss, in nats,
            that any model without a view of the future can reach? (Two decimals are enough.)
        """,
        answer=math.log(tokens),
        says="The natural logarithm of the number of tokens: all of them stay equally likely.",
        wrong=(
            Wrong(math.log2(tokens), "That is in bits. Losses here are in nats, with the natural logarithm."),
            Wrong(0, "That would take a model that foresees chance."),
            Wrong(1 / tokens, "That is the probability of each token; the loss is minus its logarithm."),
        ),
        otherwise=f"The best guess gives every token the probability 1/{tokens}. Take minus its logarithm.",
        within=0.006,
    )


def low_curve(rng):
    bug = str(rng.choice(LEAKING))
    return OneOf(
        f"""
            The loss of one model on the random half, whose floor is ln {TOKENS} = {FLOOR:.3f}:

            {_curve(bug, rng)}

            What follows?
        """,
        (
            Choice(
                "It is the best of the models",
                "Nobody foresees chance. Below the floor, a low loss is a symptom.",
                slug="low-loss-is-good",
            ),
            Choice(
                "A token can see what comes after it",
                "There is no other way under the floor.",
                right=CURVES[bug]["curve"][-1][1] < FLOOR - 0.5,
            ),
            Choice(
                "It has learned the random half by heart",
                "Every batch is drawn anew, and so is the one it is measured on.",
            ),
            Choice(
                "A leak makes the loss worse, so there is none",
                "A leak makes the loss better than it can honestly be.",
                slug="leak-is-worse-loss",
            ),
        ),
    )


def honest_curve(rng):
    bug = str(rng.choice(HONEST))
    alike = all(CURVES[each]["curve"][-1][2] < 0.05 and CURVES[each]["written"] > 0.95 for each in HONEST)
    return OneOf(
        f"""
            Another model, on the random half:

            {_curve(bug, rng)}

            On the repeated half it ends near {CURVES[bug]["curve"][-1][2]:.2f}. Which model is it?
        """,
        (
            Choice(
                "The right one: a bug would show in the loss",
                "Not every bug does. Two of the others end like this.",
                slug="loss-finds-every-bug",
            ),
            Choice(
                "The right one, the one without scale, or the one with interleaved heads: the curve does not tell",
                "Here all three learned the task. They differ in their numbers, not in how low the loss gets.",
                right=alike,
            ),
            Choice(
                "The one whose mask is one token late",
                "That one sees the next token and falls below the floor.",
                slug="mask-leaks-next-token",
            ),
            Choice(
                "The one that merges without transposing back",
                "That one mixes later tokens in and falls below the floor.",
                slug="merge-without-transpose",
            ),
        ),
    )


def interleaved():
    q, k, v = np.random.default_rng(1).normal(size=(3, 7, 15))
    order = np.arange(15).reshape(5, 3).T.ravel()
    renamed = np.allclose(_heads(q, k, v, dealt=True), _heads(q[:, order], k[:, order], v[:, order]))
    return OneOf(
        "A model deals its channels out to the heads in turn (interleaved), not in blocks. When does that do harm?",
        (
            Choice(
                "In every training: heads need neighbouring channels",
                "Channels have no neighbours but by name; a linear layer can put any number anywhere.",
                slug="interleaved-never-trains",
            ),
            Choice(
                "When weights trained with blocks are loaded into it",
                "Trained from scratch it is the same model with renamed channels. Loaded weights use the old names.",
                right=bool(renamed),
            ),
            Choice("Never: it is the same function", "For given weights it is another function."),
            Choice("Only if the head size is odd", "The sizes play no part; the order of the channels does."),
        ),
    )


def _map_question(drawn, choices):
    picture = "\n".join(
        f"    head {row}  {' '.join('.' if right else '#' for right in line)}" for row, line in enumerate(drawn)
    )
    places = " ".join(str(place) for place in range(len(drawn[0])))
    return OneOf(f"Positions run from left to right:\n\n    {'':6}  {places}\n{picture}\n\nWhat is wrong?", choices)


def _curve(bug, rng):
    """Some measured points of a curve, in one line."""
    points = CURVES[bug]["curve"]
    shown = sorted(
        {0, len(points) - 1, *(int(place) for place in rng.choice(range(1, len(points) - 1), 4, replace=False))}
    )
    return ", ".join(f"step {points[place][0]}: {points[place][1]:.2f}" for place in shown)


def _maps(rng, *bugs):
    """Where each bug agrees with the right heads: (h, T) of bool, of one random layer."""
    h, T, d = 0, 0, 5
    while h < 3 or h == T or math.gcd(h - 1, T - 1) > 1:  # else a merge in the wrong order is right here and there
        h, T = int(rng.integers(3, 7)), int(rng.integers(5, 11))
    q, k, v = rng.normal(size=(3, T, h * d))
    right = _heads(q, k, v, h=h)
    return {bug: np.isclose(right, _wrong_heads(bug, q, k, v, h, rng)).all(axis=-1) for bug in bugs}


def _wrong_heads(bug, q, k, v, h, rng):
    if bug == "merge without transpose":
        right = _heads(q, k, v, h=h)  # (h, T, d) read in memory order as (T, h, d)
        return right.reshape(right.shape[1], h, -1).swapaxes(0, 1)
    if bug == "one head lost":
        lost = int(rng.integers(1, h))
        wrong = _heads(q, k, v, h=h)
        wrong[lost] = wrong[lost - 1]
        return wrong
    if bug == "interleaved":
        return _joined(_heads(q, k, v, h=h, dealt=True), h)
    kinds = {
        "no mask": {"reach": q.shape[0]},
        "mask one late": {"reach": 1},
        "no scale": {"power": 0},
        "divided by d": {"power": 1},
    }
    return _heads(q, k, v, h=h, **kinds[bug])


def _joined(dealt, h):
    """Interleaved heads merged by the same interleaving, and looked at in blocks."""
    _, T, d = dealt.shape
    return dealt.transpose(1, 2, 0).reshape(T, h, d).swapaxes(0, 1)


def _heads(q, k, v, *, h=3, reach=0, power=0.5, dealt=False):
    """(T, C) three times to the outputs (h, T, d); a token sees `reach` tokens too many."""
    T, C = q.shape
    d = C // h
    split = [x.reshape(T, d, h).transpose(2, 0, 1) if dealt else x.reshape(T, h, d).swapaxes(0, 1) for x in (q, k, v)]
    scores = split[0] @ split[1].swapaxes(-2, -1) / d**power
    scores = np.where(np.tri(T, k=reach) == 1, scores, -np.inf)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True) @ split[2]


def _same(maps, *bugs):
    return all(bool((maps[bug] == maps[bugs[0]]).all()) for bug in bugs) and not maps[bugs[0]].all()


def _only_corners(drawn):
    return bool(drawn[0, 0] and drawn[-1, -1] and drawn.sum() == 2)


def _one_row(drawn):
    wrong = ~drawn.all(axis=1)
    return bool(wrong.sum() == 1 and not drawn[wrong].any())
