from torch import no_grad


def surviving_positions(model_a, model_b, tokens):
    model_a.eval()
    model_b.eval()
    with no_grad():
        left = model_a(tokens)[0].double().log_softmax(dim=-1)
        right = model_b(tokens)[0].double().log_softmax(dim=-1)
    return tuple(i for i, (p, q) in enumerate(zip(left, right, strict=True)) if (p - q).abs().max() < 1e-3)


def why_it_survives():
    return "C"
