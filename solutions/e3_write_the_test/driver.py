"""Hands check one implementation after the other. They live with the grader: here is only a way to ask them.

What check asks for is summed up in a few numbers, so that a message can say why a bug got through.
"""

import numpy as np
import torch


def drive(learner, inputs, ask):
    """What check said to each implementation, and what it asked. A crash on every one of them is raised as it is."""
    check, asked, verdicts, crashes = learner["check"], Asked(), [], []
    for number in range(inputs["rounds"]):
        try:
            came = check(_implementation(ask, number, asked))
        except AssertionError:
            verdicts.append("refused")
        except Exception as crash:
            verdicts.append(type(crash).__name__)
            crashes.append(crash)
        else:
            verdicts.append("accepted" if came is None else "returned")
        ask("judged", verdicts[-1])
    if len(crashes) == len(verdicts):
        raise crashes[0]
    return {"verdicts": verdicts, "asked": asked.summary()}


def _implementation(ask, number, asked):
    def mha(x, qkv_weight, out_weight, n_heads):
        asked.tried += 1
        arrays = [np.asarray(each) if isinstance(each, (list, tuple)) else each for each in (x, qkv_weight, out_weight)]
        try:
            y = ask("mha", number, *arrays, n_heads)
        except TypeError as problem:  # what cannot be sent
            raise ValueError(f"mha cannot be given {problem}") from None
        except RuntimeError as refusal:
            kind, _, text = str(refusal).partition(": ")
            raise (ValueError if kind == "ValueError" else RuntimeError)(text) from None
        asked.note(*(_tensor(each) for each in (*arrays, y)), int(n_heads))
        return y.to(x.dtype) if isinstance(x, torch.Tensor) else y.numpy().astype(arrays[0].dtype)

    mha.__qualname__ = "mha"  # what Python calls it when arguments are missing
    return mha


def _tensor(values):
    return torch.as_tensor(values).detach().double()


class Asked:
    """What the calls had in common."""

    def __init__(self):
        self.tried, self.calls, self.tokens, self.heads, self.channels = 0, 0, 0, 0, 0
        self.alike, self.symmetric, self.same_thirds = True, True, True
        self.smallest_scores, self.largest_scores, self.peak = float("inf"), 0.0, 0.0

    def note(self, x, qkv_weight, out_weight, y, n_heads):
        """Count one call that was answered."""
        w_q, w_k, _ = qkv_weight.chunk(3)
        size = (x @ w_q.T).std(correction=0) * (x @ w_k.T).std(correction=0)  # about how large a score is
        self.calls += 1
        self.tokens, self.heads = max(self.tokens, x.shape[1]), max(self.heads, n_heads)
        self.channels = max(self.channels, x.shape[2] // n_heads)
        self.alike &= bool((x == x[:, :1]).all())
        self.symmetric &= bool((out_weight == out_weight.T).all())
        self.same_thirds &= bool((w_q == w_k).all())
        self.smallest_scores = min(self.smallest_scores, float(size))
        self.largest_scores = max(self.largest_scores, float(size))
        self.peak = max(self.peak, float(y.abs().max()))

    def summary(self):
        """As plain data."""
        return dict(vars(self))
