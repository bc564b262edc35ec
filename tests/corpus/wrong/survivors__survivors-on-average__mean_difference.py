import torch


def surviving_positions(model_a, model_b, tokens):
    with torch.no_grad():
        a, b = model_a(tokens)[0], model_b(tokens)[0]
    return [i for i in range(len(a)) if (a[i] - b[i]).abs().mean() < 1e-2]


def why_it_survives():
    return "C"
