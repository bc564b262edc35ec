import torch


@torch.no_grad()
def surviving_positions(model_a, model_b, tokens):
    survivors = []
    a, b = model_a(tokens), model_b(tokens)
    for position in range(tokens.size(1)):
        if torch.allclose(a[0, position], b[0, position], atol=1e-5, rtol=1e-3):
            survivors.append(position)
    return survivors


def why_it_survives():
    return "C"
