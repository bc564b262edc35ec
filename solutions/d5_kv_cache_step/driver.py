"""How a worker questions step: it feeds a text in chunks and hands every cache on to the next call, unopened.

With a second text the two take turns. The size of a cache is counted wherever its numbers lie.
"""

import numpy as np
import torch


def drive(learner, inputs, ask):
    """The results of every chunk, or the sizes of the caches where `count` asks for them."""
    weights = [inputs[name] for name in ("wq", "wk", "wv", "wo")]
    texts = [inputs[name] for name in ("x", "other_x") if name in inputs]
    caches, parts, sizes, start = [None] * len(texts), {}, [], 0
    for turn, length in enumerate(inputs["chunks"]):
        for number, text in enumerate(texts):
            told = text[:, start : start + length]
            chunk = told.clone()
            came = learner["step"](chunk, weights, inputs["n_heads"], inputs["n_kv_heads"], caches[number])
            if chunk.shape == told.shape:
                told.copy_(chunk.detach())  # what was done to the chunk was done to the text
            if not isinstance(came, (tuple, list)) or len(came) != 2:
                raise TypeError("step has to return two values, y and the cache for the next step")
            if is_like(came[1], chunk) and not is_like(came[0], chunk):
                raise TypeError("step returned the cache first; y comes first, then the cache for the next step")
            name = f"chunk {turn}" + (f" of text {number}" if len(texts) > 1 else "")
            parts[name], caches[number] = came
            sizes.append(numbers_in(caches[number]))
        start += length
    return {"kept": sizes} if inputs.get("count") else parts


def is_like(value, chunk):
    """Whether a value could be the y of a chunk."""
    return isinstance(value, torch.Tensor) and value.shape == chunk.shape


def numbers_in(cache, depth=4):
    """How many numbers a cache holds: in tensors and arrays, in lists, tuples and dicts of them, and in objects."""
    if isinstance(cache, (torch.Tensor, np.ndarray)):
        return int(cache.numel() if isinstance(cache, torch.Tensor) else cache.size)
    if isinstance(cache, dict):
        cache = list(cache.values())
    elif not isinstance(cache, (list, tuple)) and (hasattr(cache, "__dict__") or hasattr(cache, "__slots__")):
        slots = [getattr(cache, name, None) for name in getattr(type(cache), "__slots__", ())]
        cache = [*slots, *getattr(cache, "__dict__", {}).values()]
    inside = cache if isinstance(cache, (list, tuple)) and depth else ()
    return sum(numbers_in(item, depth - 1) for item in inside)
