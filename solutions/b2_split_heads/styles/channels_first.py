"""Channels before tokens first: then the heads can be cut right behind the batch."""


def split_heads(x, n_heads):
    if x.shape[2] % n_heads != 0:
        raise RuntimeError("cannot split evenly")
    return x.transpose(1, 2).unflatten(1, (n_heads, x.shape[2] // n_heads)).transpose(2, 3)
