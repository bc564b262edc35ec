import numpy as np


def scale_recipe(amounts, written_for, guests):
    assert written_for > 0
    return np.array([amount / written_for * guests for amount in amounts])
