from functools import partial
from itertools import groupby


def head_of_channel(c, d_model, n_head, start=0):
    d = d_model // n_head
    head = start
    while c >= d:
        c -= d
        head += 1
    return head


def mixture(j, C, h_trained, h_loaded):
    mine = filter(lambda c: head_of_channel(c, C, h_loaded) == j, range(C))
    trained = partial(head_of_channel, d_model=C, n_head=h_trained)
    return {head: len(list(group)) for head, group in groupby(mine, key=trained)}
