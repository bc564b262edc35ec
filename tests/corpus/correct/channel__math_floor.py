import math


def head_of_channel(c, d_model, n_head):
    return math.floor(c / (d_model // n_head))
