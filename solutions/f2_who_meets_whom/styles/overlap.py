def head_of_channel(c: int, d_model: int, n_head: int) -> int:
    return c * n_head // d_model


def mixture(j: int, C: int, h_trained: int, h_loaded: int) -> dict[int, int]:
    small, big = C // h_trained, C // h_loaded
    first, last = j * big, (j + 1) * big
    shared = {}
    for head in reversed(range(h_trained)):
        overlap = min(last, (head + 1) * small) - max(first, head * small)
        if overlap > 0:
            shared[head] = overlap
    return shared
