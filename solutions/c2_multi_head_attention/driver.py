"""How a worker questions MultiHeadAttention. What is asked follows from the names of the inputs.

Weights are copied in by attribute, so the order in which layers are made, their starting values, extra buffers and
dropout modules make no difference. A module whose weights cannot all be placed answers None: its numbers would be
those of its own random weights.
"""

import torch
from torch import nn


def drive(learner, inputs, ask):
    """Measure the constructor, or the answers, the changes, the memory or the gradients of the loaded module."""

    def build():
        return learner["MultiHeadAttention"](inputs["d_model"], inputs["n_heads"])

    def fresh():
        module = build()
        return module if loaded(module, inputs) else None

    x = inputs.get("x")
    if x is None:
        return constructed(build())
    if "send_back" in inputs:
        return gradients(fresh(), x, inputs["send_back"])
    with torch.no_grad():
        if "qkv_weight" not in inputs:
            return {"y": answer(build().eval(), x)}
        if "change_token" in inputs:
            return around_a_change(fresh, x, inputs["change_token"])
        if "then" in inputs:
            return after_other_calls(fresh, x, inputs["then"])
        untouched = x.clone()
        return {"y": answer(fresh(), x), "y_again": answer(fresh(), untouched)}


def constructed(module):
    """What the constructor promised: the two weights by name, and what parameters there are."""
    shapes = [tuple(parameter.shape) for parameter in module.parameters()]
    return {
        "qkv_weight": _shape(module, "qkv"),
        "out_weight": _shape(module, "out"),
        "parameters": sum(parameter.numel() for parameter in module.parameters()),
        "shapes": "; ".join(sorted(str(shape) for shape in shapes)),
        "ready_made": any(isinstance(part, nn.MultiheadAttention) for part in module.modules()),
    }


def loaded(module, inputs):
    """Put the given weights in place and biases to zero; False where a weight of the module stays unknown."""
    placed = []
    with torch.no_grad():
        for name in ("qkv", "out"):
            weight, given = _weight(module, name), inputs[f"{name}_weight"]
            if weight is None or weight.shape != given.shape:
                continue
            weight.copy_(given)
            placed.append(name)
            bias = getattr(getattr(module, name), "bias", None)
            if bias is not None:
                bias.zero_()
    module.to(inputs["x"].dtype).eval()
    return "qkv" in placed and len(placed) == sum(parameter.ndim > 1 for parameter in module.parameters())


def answer(module, x):
    """What the module says; of several values only the first, in a list, which shows that there were several."""
    y = None if module is None else module(x)
    return [y[0]] if isinstance(y, (tuple, list)) and y else y


def around_a_change(fresh, x, token):
    """The answers before and after one token was exchanged, from a fresh module each."""
    other = x.clone()
    other[:, token] += 2.0
    return {"y": answer(fresh(), x.clone()), "y_changed": answer(fresh(), other)}


def after_other_calls(fresh, x, then):
    """The same questions to a module that has answered others before. No answer of the right shape counts as NaN."""
    wanted, other, used = answer(fresh(), then.clone()), answer(fresh(), -then), fresh()
    return {
        "y": (y := answer(used, x.clone())),
        "then": wanted,
        "then_again": _like(wanted, used, then.clone()),
        "other": other,
        "other_again": _like(other, used, -then),
        "y_again": _like(y, used, x.clone()),
    }


def gradients(module, x, send_back):
    """What arrives at the two weights and at x when `send_back` is sent back; zeros where nothing arrives."""
    leaf = x.clone().requires_grad_()
    y = answer(module, leaf)
    if isinstance(y, torch.Tensor) and y.grad_fn is not None:
        y.backward(send_back)
    leaves = {"qkv_weight": _weight(module, "qkv"), "out_weight": _weight(module, "out"), "x": leaf}
    return {name: _arrived(tensor) for name, tensor in leaves.items()}


def _arrived(leaf):
    if leaf is None:
        return None
    return torch.zeros_like(leaf) if leaf.grad is None else leaf.grad


def _like(wanted, module, x):
    if not isinstance(wanted, torch.Tensor):
        return wanted
    try:
        y = answer(module, x)
    except Exception:
        y = None
    return y if isinstance(y, torch.Tensor) and y.shape == wanted.shape else torch.full_like(wanted, float("nan"))


def _weight(module, name):
    weight = getattr(getattr(module, name, None), "weight", None)
    return weight if isinstance(weight, torch.Tensor) else None


def _shape(module, name):
    weight = _weight(module, name)
    return "missing" if weight is None else str(tuple(weight.shape))
