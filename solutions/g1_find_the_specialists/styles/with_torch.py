import torch


def shifted(weights, back, start):
    mask = torch.zeros(weights.shape[-2:], dtype=torch.bool)
    for i in range(start, len(mask)):
        mask[i, i - back] = True
    return (weights * mask).sum(dim=(1, 2)) / mask.sum()


def previous_token_score(weights):
    return shifted(weights, back=1, start=1)


def induction_score(weights, period):
    return shifted(weights, back=period - 1, start=period)


def why_they_specialise():
    return chr(ord("A") + 2)
