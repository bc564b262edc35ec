from collections import Counter


def head_of_channel(c, d_model, n_head):
    return c // (d_model // n_head)


def mixture(j, C, h_trained, h_loaded):
    d = C // h_loaded
    return dict(Counter(head_of_channel(c, C, h_trained) for c in range(j * d, j * d + d)))
