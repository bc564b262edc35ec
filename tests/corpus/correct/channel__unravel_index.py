import numpy as np


def head_of_channel(c, d_model, n_head):
    head, _ = np.unravel_index(c, (n_head, d_model // n_head))
    return int(head)
