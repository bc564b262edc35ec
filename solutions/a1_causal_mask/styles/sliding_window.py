import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def causal_mask(T):
    ribbon = np.arange(2 * T - 1) < T  # T times True, then T - 1 times False
    return sliding_window_view(ribbon, T)[::-1]
