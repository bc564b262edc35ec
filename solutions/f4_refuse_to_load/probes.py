"""Head counts that agree, that differ, and that nobody wrote down."""

import re

import numpy as np

from autograder.records import Probe

REFUSED = "the refusal of another head count"
KIND = "the kind of error"
NAMED = "the text of the error, which has to name both head counts"
UNTOUCHED = "the weights after a refused load"
SAME_COUNT = "the head count of the module"
OLD_FILE = "the refusal of a file that tells no head count"


def shown(rng: np.random.Generator):
    yield Probe(
        name="same_heads",
        call="save_checkpoint",
        check="keeps",
        why="what was saved comes back, into a model with the right number of heads, whatever was saved after it",
        inputs=_weights(rng, 24) | {"trained": 6, "loaded": 6},
        measure=came_back,
    )
    yield Probe(
        name="right_heads",
        call="load_checkpoint",
        check="keeps",
        why="a guard that refuses everything guards nothing",
        inputs=_weights(rng, 36) | {"trained": 9, "loaded": 9},
        measure=came_back,
    )
    yield Probe(
        name="sixteen_as_twelve",
        call="load_checkpoint",
        check="refuses",
        why="the checkpoint of the story: all shapes agree",
        inputs=_weights(rng, 48) | {"trained": 16, "loaded": 12},
        measure=refused,
    )
    yield Probe(
        name="left_alone",
        call="load_checkpoint",
        check="harmless",
        why="whoever catches the error still has the model they had",
        inputs=_weights(rng, 24) | {"trained": 8, "loaded": 4},
        measure=left_alone,
    )
    yield Probe(
        name="old_file",
        call="load_checkpoint",
        check="harmless",
        why="a file from before anybody wrote head counts down: better to ask than to guess",
        inputs=_weights(rng, 24) | {"trained": 4, "loaded": 4, "old": True},
        measure=asked,
        ordinary=False,
    )


def hidden(rng: np.random.Generator):
    few, many = sorted(rng.choice([2, 3, 4, 6, 12], size=2, replace=False).tolist())
    yield Probe(
        name="too_many",
        call="load_checkpoint",
        check="refuses",
        why="more heads than were trained is as wrong as fewer",
        inputs=_weights(rng, 24) | {"trained": few, "loaded": many},
        measure=refused,
    )
    yield Probe(
        name="left_alone_again",
        call="load_checkpoint",
        check="harmless",
        why="other numbers, which nobody can know by heart",
        inputs=_weights(rng, 36) | {"trained": many, "loaded": few},
        measure=left_alone,
    )
    yield Probe(
        name="same_again",
        call="save_checkpoint",
        check="keeps",
        why="another width and head count",
        inputs=_weights(rng, 36) | {"trained": 9, "loaded": 9},
        measure=came_back,
    )


def came_back(inputs, parts):
    """The weights of the file are in the module, and nothing else has changed."""
    return {
        "qkv_weight": parts["qkv_weight"],
        "out_weight": parts["out_weight"],
        SAME_COUNT: parts["n_heads"] == inputs["loaded"],
    }


def refused(inputs, parts):
    """Refused at all, with the right kind of error, and with a text that helps."""
    numbers = set(re.findall(r"\d+", parts["text"]))
    return {
        REFUSED: parts["raised"] != "",
        SAME_COUNT: parts["n_heads"] == inputs["loaded"],
        KIND: _kind(parts["raised"]),
        NAMED: {str(inputs["trained"]), str(inputs["loaded"])} <= numbers,
    }


def left_alone(inputs, parts):
    """A module that was refused its weights still has those it had, all 0.5."""
    kept = all((parts[name] == 0.5).all() for name in ("qkv_weight", "out_weight"))
    return {UNTOUCHED: bool(kept), SAME_COUNT: parts["n_heads"] == inputs["loaded"]}


def asked(inputs, parts):
    """Refused on purpose, and not by a stumble over what is missing."""
    return {OLD_FILE: parts["raised"] != "", KIND: _kind(parts["raised"], "RuntimeError")}


def _kind(raised, *also):
    """The rest of the sentence about a refusal with another error than a ValueError; nothing where one came."""
    kinds = set(raised.split())
    if not kinds or kinds & {"ValueError", *also}:
        return ""
    if kinds & {"LookupError", "TypeError", "AttributeError"}:
        return "stumbles over what the file does not hold, where a ValueError should say so"
    kind = "an AssertionError" if "AssertionError" in kinds else "an error that is no ValueError"
    return f"refuses the file with {kind}, where a ValueError is asked for"


def _weights(rng, C: int):
    qkv, out = (rng.standard_normal((rows, C), np.float32) for rows in (3 * C, C))
    return {"qkv_weight": qkv, "out_weight": out}
