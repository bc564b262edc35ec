from bisect import bisect_left


def head_of_channel(c, d_model, n_head):
    width = d_model // n_head
    starts = list(range(width, d_model, width))
    return bisect_left(starts, c)
