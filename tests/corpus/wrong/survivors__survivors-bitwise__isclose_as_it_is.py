import torch


def surviving_positions(model_a, model_b, tokens):
    with torch.no_grad():
        a, b = model_a(tokens)[0], model_b(tokens)[0]
    return torch.isclose(a, b).all(-1).nonzero().flatten().tolist()


def why_it_survives():
    return "C"
