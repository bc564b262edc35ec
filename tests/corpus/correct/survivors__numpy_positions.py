import numpy as np


def surviving_positions(model_a, model_b, tokens):
    a, b = model_a(tokens)[0].detach().numpy(), model_b(tokens)[0].detach().numpy()
    return np.flatnonzero(np.isclose(a, b, atol=1e-4).all(1))


def why_it_survives():
    return "C"
