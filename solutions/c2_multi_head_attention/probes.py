"""Inputs for MultiHeadAttention. B, T, C, h and d all differ, and B is never h, so no axis can stand in for another.

Nearly all widths can be cut into 2, 4, 8 and 12 heads, so that a module with its own idea of the number of heads still
runs and shows it in numbers. Weights have a standard deviation of 1 / sqrt(C): large enough to tell one scale from
another, too small to saturate the softmax.
"""

import numpy as np

from autograder.records import Array, Probe

MOVED = "the reach of a changed token"
AXES = {"y": ("batch", "token", "channel"), MOVED: ("token",)}


def shown(rng: np.random.Generator):
    yield Probe(
        name="constructor",
        check="constructor",
        why="the module of the lesson: 4,096 parameters in two matrices that can be found by name",
        inputs={"d_model": 32, "n_heads": 4},
        measure=promised,
    )
    yield Probe(
        name="lesson",
        check="forward",
        why="the call of the lesson, (2, 6, 32) with 4 heads; 6 tokens can be cut in three, so a cut along T runs too",
        inputs=_asked(rng, 2, 6, C=32, h=4),
        measure=settled,
        safety="the other two catch as much; this is the call that a learner tries first",
    )
    yield Probe(
        name="general",
        check="forward",
        why="B=3, T=7, h=6, d=4, where d is a square and h is not",
        inputs=_asked(rng, 3, 7, C=24, h=6),
        measure=settled,
    )
    yield Probe(
        name="long",
        check="forward",
        why="33 tokens outgrow a mask of 8, 16 or 32; 3 heads cannot be paired, and 12 channels have a root above 3",
        inputs=_asked(rng, 4, 33, C=36, h=3),
        measure=settled,
    )
    yield Probe(
        name="square",
        check="forward",
        why="B, h, T and d are all 4: axes that do not belong together fit, so what crashes elsewhere shows numbers",
        inputs=_asked(rng, 4, 4, C=16, h=4),
        measure=settled,
    )
    yield Probe(
        name="change_a_token",
        check="causality",
        why="outputs before the changed token must stay, all others must move",
        inputs=_asked(rng, 2, 7, C=24, h=3) | {"change_token": 3},
        measure=moved,
        ordinary=False,
    )
    yield Probe(
        name="gradients",
        check="gradients",
        why="training moves a weight only if a gradient arrives there",
        inputs=_asked(rng, 2, 6, C=24, h=3) | {"send_back": _tokens(rng, 2, 6, 24)},
        measure=arrived,
        ordinary=False,
    )
    yield Probe(
        name="second_call",
        check="corners",
        why="an answer depends on the input only, not on the length or the content of earlier calls",
        inputs=_asked(rng, 2, 7, C=24, h=3) | {"then": _tokens(rng, 2, 5, 24)},
        measure=remembers,
        ordinary=False,
    )
    yield Probe(
        name="not_divisible",
        check="corners",
        why="10 channels cannot be cut into 3 equal heads; refusing in the constructor or in the call both count",
        inputs={"d_model": 10, "n_heads": 3, "x": _tokens(rng, 2, 4, 10)},
        measure=accepted,
        ordinary=False,
    )
    yield Probe(
        name="one_sequence",
        check="corners",
        why="B=1, and heads of a single channel: an axis of size 1 must survive",
        inputs=_asked(rng, 1, 4, C=12, h=12),
        measure=settled,
        ordinary=False,
    )
    yield Probe(
        name="one_token",
        check="corners",
        why="T=1: the first token of a generated text has only itself to look at",
        inputs=_asked(rng, 2, 1, C=24, h=4),
        measure=settled,
        ordinary=False,
    )
    yield Probe(
        name="large",
        check="corners",
        why="scores of several hundred overflow unless the maximum is subtracted; the second text has small ones",
        inputs=_module(rng, C=24, h=3) | {"x": np.float32([[[12]], [[3]]]) * _tokens(rng, 2, 6, 24)},
        measure=settled,
        ordinary=False,
        rtol=1e-3,
        atol=1e-3,
    )
    yield Probe(
        name="bfloat16",
        check="corners",
        why="a module in half precision meets its own dtype everywhere, in the mask too",
        inputs=_module(rng, C=24, h=3) | {"x": Array.of(_tokens(rng, 2, 6, 24), "bfloat16")},
        ordinary=False,
        rtol=3e-2,
        atol=3e-2,
    )


def hidden(rng: np.random.Generator):
    yield Probe(
        name="another_constructor",
        check="constructor",
        why="another width and head count: the shapes follow the arguments",
        inputs={"d_model": 20, "n_heads": 5},
        measure=promised,
    )
    yield Probe(
        name="many_heads",
        check="forward",
        why="16 heads of 6 channels: neither 12 heads nor heads of 64 can be built in",
        inputs=_asked(rng, 2, 5, C=96, h=16),
        measure=settled,
    )
    yield Probe(
        name="one_head",
        check="corners",
        why="a single head is no special case, 70 tokens are none either, and float64 stays float64",
        inputs=_module(rng, C=12, h=1) | {"x": _tokens(rng, 1, 70, 12).astype(np.float64)},
        measure=settled,
        ordinary=False,
    )
    yield Probe(
        name="change_another_token",
        check="causality",
        why="another token of another text, which nobody can know by heart",
        inputs=_asked(rng, 3, 9, C=12, h=2) | {"change_token": int(rng.integers(2, 7))},
        measure=moved,
        ordinary=False,
    )
    yield Probe(
        name="other_gradients",
        check="gradients",
        why="another text, which nobody can know by heart",
        inputs=_asked(rng, 1, 5, C=12, h=2) | {"send_back": _tokens(rng, 1, 5, 12)},
        measure=arrived,
        ordinary=False,
    )


def promised(inputs, parts):
    """Whether both weights are there as promised and nothing else is. Where they are not, only how the module differs
    counts: how many heads or biases it keeps elsewhere, and under which names, is all one.
    """
    C, h = inputs["d_model"], inputs["n_heads"]
    fused, square = str((3 * C, C)), str((C, C))
    shapes = parts["shapes"].split("; ")
    matrices = [shape for shape in shapes if shape.count(", ")]
    biases = [str((3 * C,)), str((C,))]
    others = [shape for shape in shapes if shape not in (*matrices, *biases)]
    missing = [name for name, shape in (("qkv", fused), ("out", square)) if parts[f"{name}_weight"] != shape]
    says = ""
    if parts["ready_made"]:
        says = "leaves the work to torch's own MultiheadAttention"
    elif not matrices or matrices == [square]:
        says = "has no weights that could be `qkv` and `out`"
    elif any(shape.endswith(f" {C // h})") and shape.count(",") == 1 for shape in matrices):
        says = f"has layers that read {C // h} channels only, those of one head"
    elif matrices in ([square] * 3, [square] * 4):
        says = "has a layer each for queries, keys and values, where one layer `qkv` is wanted"
    elif missing and matrices in ([fused], sorted((fused, square))):
        says = f"has no weight of the right shape under the name {' or '.join(missing)}"
    elif fused not in matrices and any(shape.startswith(f"({size}, ") for shape in matrices for size in sizes(C, h)):
        says = "has layers for every head, where one layer `qkv` is wanted"
    elif missing or len(matrices) > 2 or others:
        says = "has other weights than `qkv` and `out`"
    if says:
        return {"layers": says}
    return {"layers": "", "whether a layer has a bias": len(shapes) > 2, "shapes": shapes}


def sizes(C, h):
    """How many rows a layer of one head has: for one of q, k and v, for two of them, for all three."""
    return {C // h, 2 * C // h, 3 * C // h} - {C, 3 * C}


def settled(inputs, parts):
    """Numbers are worth comparing only where the same question gets the same answer twice."""
    y, again = parts["y"], parts["y_again"]
    repeats = not isinstance(y, np.ndarray) or _same(y, again)
    return {"y_again": repeats, "y": y if repeats else None}


def moved(inputs, parts):
    """In how many of the sequences each output moved when one token changed: none before it, all from it on."""
    change = np.abs(parts["y_changed"] - parts["y"]).max(axis=-1)  # (B, T)
    share = (change > np.where(np.arange(change.shape[1]) < inputs["change_token"], 1e-6, 1e-4)).mean(axis=0)
    return {MOVED: np.where(np.isfinite(change).all(axis=0), share, np.nan)}


def arrived(inputs, parts):
    """Where a gradient arrives: at every row of the three thirds of qkv.weight, of out.weight, and at every token."""
    places = dict(zip(("query rows", "key rows", "value rows"), np.split(parts["qkv_weight"], 3), strict=True))
    places |= {"output rows": parts["out_weight"], "input": parts["x"].reshape(-1, parts["x"].shape[-1])}
    reached = {name: np.isfinite(g).all() and (np.abs(g).max(axis=1) > 1e-7).all() for name, g in places.items()}
    return {f"a gradient reaches the {name}": bool(there) for name, there in reached.items()}


def remembers(inputs, parts):
    """Whether a used module answers as a fresh one does."""
    asked = ("then", "other", "y")
    return {"then_again": all(_same(parts[name], parts[f"{name}_again"]) for name in asked)}


def accepted(inputs, parts):
    """That anything came back at all is the whole answer, whatever it holds."""
    return {"the refusal of a width that does not divide": True}


def _same(y, again):
    if not isinstance(again, np.ndarray) or y.shape != again.shape:
        return False
    # Nearly always equal to the last bit, and comparing bits costs a tenth of allclose; judging asks this very often.
    return y.tobytes() == again.tobytes() or bool(np.allclose(y, again, 1e-5, 1e-6, True))


def _asked(rng, B: int, T: int, C: int, h: int):
    """A module, its weights, and tokens for it."""
    return _module(rng, C, h) | {"x": _tokens(rng, B, T, C)}


def _module(rng, C: int, h: int):
    qkv, out = (rng.standard_normal((rows, C), np.float32) / np.float32(C**0.5) for rows in (3 * C, C))
    return {"d_model": C, "n_heads": h, "qkv_weight": qkv, "out_weight": out}


def _tokens(rng, B: int, T: int, C: int):
    return rng.standard_normal((B, T, C), np.float32)
