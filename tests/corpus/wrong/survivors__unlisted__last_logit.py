import torch


def surviving_positions(model_a, model_b, tokens):
    a, b = model_a(tokens).detach(), model_b(tokens).detach()
    return [t for t in range(a.size(1)) if (a[0, t] - b[0, t])[-1].abs() < 1e-3]


def why_it_survives():
    return "C"
