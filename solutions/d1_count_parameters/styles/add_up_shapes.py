from math import prod


def count_parameters(d_model: int, n_heads: int, bias: bool = False) -> int:
    d = d_model // n_heads
    shapes = []
    for _ in range(n_heads):
        for _projection in "qkv":
            shapes.append((d, d_model))
            if bias:
                shapes.append((d,))
    shapes.append((d_model, d_model))
    if bias:
        shapes.append((d_model,))
    return sum(map(prod, shapes))
