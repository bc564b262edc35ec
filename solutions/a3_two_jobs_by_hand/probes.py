"""Sentences for two_heads. Many matrices are right, so what they make the heads look at is compared, not they."""

import numpy as np

from autograder.records import Probe

SHAPES = "the shapes of its matrices"
POSITIONS = "the positions head 1 looks at"
SHARE_1 = "the weight of the previous token in head 1"
WANTS = "what the queries of head 1 ask for"
CATEGORIES = "the categories head 2 looks at"
SHARE_2 = "the weight of the own category in head 2"
AXES = {POSITIONS: ("sentence", "query", "key"), CATEGORIES: ("sentence", "query", "category")}


def shown(rng: np.random.Generator):
    rain_jacket = {"T": 6, "category": [2, 0, 0, 2, 1, 1], "n_cat": 3}
    five_tokens = {"T": 5, "category": [3, 1, 3, 0, 1], "n_cat": 4}
    yield Probe(
        name="rain_jacket_head_1",
        check="previous_token",
        why="the six tokens of the lesson, and the same sentence backwards",
        inputs=rain_jacket,
        measure=_head_1,
        safety="five tokens catch as much; this is the sentence that learners know",
    )
    yield Probe(
        name="rain_jacket_head_2",
        check="same_category",
        why="the six tokens of the lesson, and the same sentence backwards",
        inputs=rain_jacket,
        measure=_head_2,
        safety="five tokens catch as much; this is the sentence that learners know",
    )
    yield Probe(
        name="five_tokens_head_1",
        check="previous_token",
        why="neither 6 tokens nor 3 categories, one of which does not occur",
        inputs=five_tokens,
        measure=_head_1,
    )
    yield Probe(
        name="five_tokens_head_2",
        check="same_category",
        why="neither 6 tokens nor 3 categories, one of which does not occur",
        inputs=five_tokens,
        measure=_head_2,
    )


def hidden(rng: np.random.Generator):
    eight_tokens = {"T": 8, "category": rng.permutation([0, 0, 1, 1, 2, 3, 4, 4]).tolist(), "n_cat": 5}
    yield Probe(
        name="eight_tokens_head_1",
        check="previous_token",
        why="the longest sentence the lesson promises: more tokens to share the weight with",
        inputs=eight_tokens,
        measure=_head_1,
    )
    yield Probe(
        name="eight_tokens_head_2",
        check="same_category",
        why="the longest sentence the lesson promises, and five categories",
        inputs=eight_tokens,
        measure=_head_2,
    )


@np.errstate(all="ignore")  # a submission may well send NaN or inf
def _head_1(inputs, parts):
    """Where head 1 looks: per sentence and token the best positions, and whether the previous one gets its share.

    `wants` tells what the queries ask for when nothing is hidden. It stays empty for a head that does its job, which
    may ask for whatever it likes behind the mask.
    """
    pairs = _scores(inputs, parts, 0, inputs["T"])
    if pairs is None:
        return {SHAPES: _shapes(parts, 0)}
    previous = np.eye(inputs["T"], k=-1, dtype=bool)
    weights = [_weights(scores) for scores, _ in pairs]
    strong = np.array([bool((w[previous] > 0.95).all()) for w in weights])
    wants = np.stack([_best(scores) & ~ok for (scores, _), ok in zip(pairs, strong, strict=True)])
    return {
        SHAPES: _shapes(parts, 0),
        POSITIONS: np.stack([_best(w) for w in weights]),
        SHARE_1: strong,
        WANTS: wants,
    }


@np.errstate(all="ignore")
def _head_2(inputs, parts):
    """Where head 2 looks: per sentence and token the best positions' categories, and whether its own gets enough."""
    pairs = _scores(inputs, parts, 2, inputs["n_cat"])
    if pairs is None:
        return {SHAPES: _shapes(parts, 2)}
    categories, strong = [], []
    for scores, sentence in pairs:
        weights, one_hot = _weights(scores), np.eye(inputs["n_cat"])[sentence]
        categories.append(_best(weights) @ one_hot > 0)
        strong.append(bool(((weights * (one_hot @ one_hot.T)).sum(axis=1) > 0.99).all()))
    return {SHAPES: _shapes(parts, 2), CATEGORIES: np.stack(categories), SHARE_2: np.array(strong)}


def _matrices(parts, first):
    """The query and key matrix of a head: entries `first` and `first + 1` of what came back."""
    result = parts.get("result")
    return list(result[first : first + 2]) if isinstance(result, (list, tuple)) and len(result) == 4 else []


def _shapes(parts, first):
    return [list(m.shape) if isinstance(m, np.ndarray) else None for m in _matrices(parts, first)]


def _scores(inputs, parts, first, size):
    """Unmasked scores (T, T) and categories for the sentence as given and backwards; None where shapes are wrong."""
    T, category, n_cat = inputs["T"], list(inputs["category"]), inputs["n_cat"]
    if _shapes(parts, first) != [[T + n_cat, size]] * 2:
        return None
    W_q, W_k = (matrix.astype(np.float64) for matrix in _matrices(parts, first))
    pairs = []
    for sentence in (category, category[::-1]):
        X = np.hstack([np.eye(T), np.eye(n_cat)[sentence]])  # (T, T + n_cat)
        pairs.append(((X @ W_q) @ (X @ W_k).T, sentence))
    return pairs


def _weights(scores):
    """Causal attention weights (T, T)."""
    visible = np.where(np.tri(len(scores), dtype=bool), scores, -np.inf)
    e = np.exp(visible - visible.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _best(rows):
    """True at the largest entries of each row, ties included."""
    return np.isclose(rows, rows.max(axis=1, keepdims=True), rtol=1e-6, atol=0)
