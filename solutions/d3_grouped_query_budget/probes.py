"""Sizes for count_gqa and kv_cache_bytes. Query heads, key and value heads and head size all differ, and none of the
numbers of a cache is 1 or equals another where it counts, so leaving one out or using one twice shows."""

import numpy as np

from autograder.records import Probe


def shown(rng: np.random.Generator):
    yield Probe(
        name="lesson",
        check="parameters",
        why="32 heads in groups of 4, without saying anything about a bias",
        inputs={"d_model": 4096, "n_heads": 32, "n_kv_heads": 8},
        safety="pairs catch as much; these are the numbers of the lesson",
    )
    yield Probe(
        name="pairs",
        check="parameters",
        why="6 heads of 7 channels in pairs: 6, 3 and 7 tell head counts and head size apart",
        inputs={"d_model": 42, "n_heads": 6, "n_kv_heads": 3, "bias": False},
    )
    yield Probe(
        name="with_bias",
        check="biases",
        why="a bias has one number for each output, and W_K and W_V have fewer outputs",
        inputs={"d_model": 60, "n_heads": 12, "n_kv_heads": 4, "bias": True},
    )
    yield _cache(
        "gpt2_small",
        "the cache of the lesson: 36 MiB",
        {"n_layers": 12, "n_kv_heads": 12, "d_head": 64, "tokens": 1024, "batch": 1, "bytes_per_number": 2},
    )
    yield _cache(
        "three_sequences",
        "every number counts once, the number of sequences too",
        {"n_layers": 5, "n_kv_heads": 3, "d_head": 20, "tokens": 70, "batch": 6, "bytes_per_number": 4},
    )


def hidden(rng: np.random.Generator):
    group, n_kv, d_head = int(rng.choice([2, 3])), int(rng.choice([5, 7])), int(rng.choice([11, 13, 17]))
    sizes = {"d_model": group * n_kv * d_head, "n_heads": group * n_kv, "n_kv_heads": n_kv}
    yield Probe(
        name="drawn",
        check="parameters",
        why="head counts and a head size that nobody could have prepared for",
        inputs=sizes,
    )
    yield Probe(
        name="one_for_all",
        check="parameters",
        why="a single head of keys and values for all queries",
        inputs={"d_model": 40, "n_heads": 8, "n_kv_heads": 1, "bias": False},
        safety="the drawn sizes catch all that is known; an answer may treat a single head as a special case",
    )
    yield Probe(
        name="nothing_shared",
        check="parameters",
        why="as many keys and values as queries: plain multi-head attention, which is counted as before",
        inputs={"d_model": 45, "n_heads": 9, "n_kv_heads": 9, "bias": False},
        safety="the drawn sizes catch all that is known; here the count has to be the one of D1",
    )
    yield Probe(
        name="drawn_with_bias",
        check="biases",
        why="the same layer with biases: the difference between the two counts is the biases alone",
        inputs=sizes | {"bias": True},
    )
    yield _cache(
        "long_text",
        "a cache beyond 2**31 bytes, as large models have",
        {"n_layers": 32, "n_kv_heads": 8, "d_head": 128, "tokens": 8192, "batch": 3, "bytes_per_number": 2},
    )
    layers, tokens, batch = (int(rng.choice(numbers)) for numbers in ([7, 9, 11], [130, 150, 170], [13, 14, 15]))
    yield _cache(
        "drawn_cache",
        "sizes that nobody could have prepared for, at one byte a number",
        {"n_layers": layers, "n_kv_heads": 6, "d_head": 24, "tokens": tokens, "batch": batch, "bytes_per_number": 1},
    )


def _cache(name: str, why: str, sizes: dict[str, int]) -> Probe:
    return Probe(name=name, check="cache", why=why, call="kv_cache_bytes", inputs=sizes)
