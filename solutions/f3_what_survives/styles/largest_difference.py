import numpy as np


def surviving_positions(model_a, model_b, tokens):
    import torch

    with torch.inference_mode():
        difference = (model_a(tokens) - model_b(tokens)).abs().squeeze(0).amax(-1).numpy()
    return list(np.flatnonzero(difference < 1e-4))


def why_it_survives():
    answer = "c"
    return answer.upper()
