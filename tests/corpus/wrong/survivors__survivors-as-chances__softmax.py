import torch


def surviving_positions(model_a, model_b, tokens):
    with torch.no_grad():
        a, b = model_a(tokens), model_b(tokens)
    p, q = a.softmax(-1), b.softmax(-1)
    return [t for t in range(tokens.shape[1]) if torch.allclose(p[0, t], q[0, t], atol=1e-4)]


def why_it_survives():
    return "C"
