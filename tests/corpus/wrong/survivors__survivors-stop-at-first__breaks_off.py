import torch


def surviving_positions(model_a, model_b, tokens):
    with torch.no_grad():
        a, b = model_a(tokens)[0], model_b(tokens)[0]
    r = []
    for i in range(len(a)):
        if not torch.allclose(a[i], b[i], atol=1e-4):
            break
        r.append(i)
    return r


def why_it_survives():
    return "C"
