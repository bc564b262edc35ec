import torch


def surviving_positions(model_a, model_b, tokens):
    with torch.no_grad():
        equal = (model_a(tokens) == model_b(tokens)).all(dim=-1)[0]
    return [t for t in range(tokens.shape[1]) if equal[t]]


def why_it_survives():
    return "A"
