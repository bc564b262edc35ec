import torch


def surviving_positions(model_a, model_b, tokens):
    a = b = model_a(tokens)
    return [t for t in range(a.size(1)) if (a[0, t] - b[0, t]).abs().max() < 1e-3]


def why_it_survives():
    return "C"
