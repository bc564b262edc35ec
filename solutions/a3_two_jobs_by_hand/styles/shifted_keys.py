import numpy as np


def two_heads(T, category, n_cat, strength=50):
    # the query says "me", the key of token j says "I am the one before j + 1"
    nothing_T, nothing_c = np.zeros((n_cat, T)), np.zeros((T, n_cat))
    ask = np.concatenate([np.eye(T), nothing_T])
    offer = np.concatenate([np.roll(strength * np.eye(T), 1, axis=1), nothing_T])
    name = np.concatenate([nothing_c, np.eye(n_cat)])
    return [ask, offer, name * -strength, -name]
