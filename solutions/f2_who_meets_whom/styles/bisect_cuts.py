from bisect import bisect_right
from collections import defaultdict


def head_of_channel(c, d_model, n_head):
    cuts = list(range(0, d_model, d_model // n_head))
    return bisect_right(cuts, c) - 1


def mixture(j, C, h_trained, h_loaded):
    found = defaultdict(int)
    for c in range(C):
        if head_of_channel(c, C, h_loaded) == j:
            found[head_of_channel(c, C, h_trained)] += 1
    return found
