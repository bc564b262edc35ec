import numpy as np


def dough(amounts, loaves):
    return np.array([loaves * amount for amount in amounts])
