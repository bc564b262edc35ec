"""Texts for step, fed in chunks. One token at a time cannot see a missing mask, so chunks of several tokens come early
and late; the sizes of the chunks, the head counts, B and d all differ."""

import numpy as np

from autograder.records import Probe

TEXTS = ("", " of text 0", " of text 1")
AXES = {f"chunk {turn}{text}": ("batch", "token", "channel") for turn in range(6) for text in TEXTS}


def shown(rng: np.random.Generator):
    yield Probe(
        name="prompt",
        check="prompt",
        why="the first call alone, without a cache: 6 heads of 5 channels, keys and values shared by pairs",
        inputs=_text(rng, B=2, h=6, n_kv=3, d=5, chunks=[7]),
    )
    yield Probe(
        name="chunks",
        check="chunks",
        why="a prompt of 3 tokens, one token alone, then two at once: the only place where a late mask counts",
        inputs=_text(rng, B=2, h=6, n_kv=3, d=5, chunks=[3, 1, 2]),
    )
    yield Probe(
        name="memory",
        check="memory",
        why="6 query heads share 2 heads of keys, so a cache of inputs, or of copies for each query head, is larger",
        inputs=_text(rng, B=3, h=6, n_kv=2, d=4, chunks=[3, 1, 2]) | {"count": True},
        measure=kept,
    )
    yield Probe(
        name="two_texts",
        check="corners",
        why="two texts take turns: what belongs to the one must not reach the other",
        inputs=_two_texts(rng, B=2, h=4, n_kv=2, d=6, chunks=[2, 3]),
        ordinary=False,
    )
    yield Probe(
        name="one_sequence",
        check="corners",
        why="B=1 and token after token from the start, as a text is written",
        inputs=_text(rng, B=1, h=4, n_kv=1, d=3, chunks=[1, 1, 1]),
        ordinary=False,
    )


def hidden(rng: np.random.Generator):
    yield Probe(
        name="other_chunks",
        check="chunks",
        why="a late chunk that is longer than the prompt, in groups of four heads",
        inputs=_text(rng, B=3, h=8, n_kv=2, d=5, chunks=[2, 5, 1, 3]),
    )
    yield Probe(
        name="nothing_shared",
        check="chunks",
        why="plain multi-head attention has a cache too",
        inputs=_text(rng, B=2, h=3, n_kv=3, d=8, chunks=[4, 2]),
    )
    yield Probe(
        name="another_prompt",
        check="prompt",
        why="a single head is no special case, and neither are 40 tokens",
        inputs=_text(rng, B=1, h=1, n_kv=1, d=6, chunks=[40]),
    )
    yield Probe(
        name="two_other_texts",
        check="corners",
        why="other texts, which nobody can know by heart",
        inputs=_two_texts(rng, B=1, h=6, n_kv=3, d=4, chunks=[1, 2]),
        ordinary=False,
    )
    yield Probe(
        name="another_memory",
        check="memory",
        why="other sizes",
        inputs=_text(rng, B=2, h=10, n_kv=2, d=3, chunks=[5, 1]) | {"count": True},
        measure=kept,
    )


def kept(inputs, parts):
    """The rest of the sentence about the size of the cache; nothing where it is as small as can be."""
    B, _, C = inputs["x"].shape
    width = 2 * inputs["n_kv_heads"] * C // inputs["n_heads"]  # of the keys and values of one token
    times = np.array(parts["kept"]) / (B * width * np.cumsum(inputs["chunks"]))
    if (times == 1).all():
        return {"size": ""}
    if (times == 0).all():
        return {"size": "keeps nothing for the next step"}
    if (times < 1).any():
        return {"size": "keeps fewer numbers than the keys and values of all tokens have"}
    return {"size": f"keeps {times[-1]:.3g} times as many numbers as the shared keys and values of all tokens have"}


def _text(rng, B: int, h: int, n_kv: int, d: int, chunks: list[int]):
    C = h * d
    rows = {"wq": C, "wk": n_kv * d, "wv": n_kv * d, "wo": C}
    weights = {name: rng.standard_normal((n, C), np.float32) / np.float32(C**0.5) for name, n in rows.items()}
    x = rng.standard_normal((B, sum(chunks), C), np.float32)
    return {"x": x, **weights, "n_heads": h, "n_kv_heads": n_kv, "chunks": chunks}


def _two_texts(rng, **sizes):
    first = _text(rng, **sizes)
    return first | {"other_x": rng.standard_normal(first["x"].shape, np.float32)}
