from collections import Counter


def head_of_channel(c, d_model, n_head):
    d_head = d_model // n_head
    return (c - c % d_head) // d_head


def mixture(j, C, h_trained, h_loaded):
    d = C // h_loaded
    return Counter(head_of_channel(c, C, h_trained) for c in range(d * j, d * j + d))
