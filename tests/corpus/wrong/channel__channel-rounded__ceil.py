import math


def head_of_channel(c, d_model, n_head):
    return min(math.ceil(c / (d_model // n_head)), n_head - 1)
