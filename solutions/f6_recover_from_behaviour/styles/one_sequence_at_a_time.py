from collections import defaultdict

import torch
from torch import nn


def divisors(n):
    small = [d for d in range(1, int(n**0.5) + 1) if n % d == 0]
    return sorted({*small, *(n // d for d in small)})


def copy_losses(build, state_dict, tokens):
    criterion = nn.CrossEntropyLoss(reduction="sum")
    total = defaultdict(float)
    half = tokens.shape[1] // 2
    for n_head in divisors(state_dict["blocks.0.out.weight"].shape[0]):
        model = build(n_head)
        model.load_state_dict(state_dict)
        model.eval()
        for sequence in tokens.split(1):
            with torch.no_grad():
                logits = model(sequence)[0]
            total[n_head] += criterion(logits[half - 1 : 2 * half - 1], sequence[0, half:]).item()
    return {n_head: loss / (len(tokens) * half) for n_head, loss in total.items()}


def recover_n_head_from_loss(build, state_dict, tokens):
    best, lowest = None, float("inf")
    for n_head, loss in copy_losses(build, state_dict, tokens).items():
        if loss < lowest:
            best, lowest = n_head, loss
    return best
