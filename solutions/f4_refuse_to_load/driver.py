"""How a worker questions the two functions: through files in memory, since a worker may write nowhere."""

import io

import torch
from torch import nn


def drive(learner, inputs, ask):
    """Save a module of one head count and load it into one of another, or of the same.

    In between another file is written, so that a count kept outside the file belongs to the wrong one.
    """
    Attention = attention()
    C = inputs["out_weight"].shape[0]
    trained, other = Attention(C, inputs["trained"]), Attention(C, inputs["loaded"])
    same = inputs["loaded"] == inputs["trained"]
    with torch.no_grad():
        trained.qkv.weight.copy_(inputs["qkv_weight"])
        trained.out.weight.copy_(inputs["out_weight"])
        for weight in other.parameters():
            weight.fill_(0.5)
    file = io.BytesIO()
    if inputs.get("old"):
        torch.save(trained.state_dict(), file)
    else:
        learner["save_checkpoint"](file, trained)
        learner["save_checkpoint"](io.BytesIO(), Attention(C, 1 if same else inputs["loaded"]))
    if same and not inputs.get("old"):
        learner["load_checkpoint"](io.BytesIO(file.getvalue()), other)
        return told(other, None)
    try:
        learner["load_checkpoint"](io.BytesIO(file.getvalue()), other)
    except NotImplementedError:
        raise
    except Exception as error:
        return told(other, error)
    return told(other, None)


def told(module, error):
    """What became of the module, and the kind and the text of what was raised."""
    kinds = [] if error is None else [kind.__name__ for kind in type(error).__mro__]
    weights = {"qkv_weight": module.qkv.weight, "out_weight": module.out.weight}
    return {"raised": " ".join(kinds), "text": str(error or ""), "n_heads": module.n_heads, **weights}


def attention():
    """As much of an attention layer as a checkpoint knows: a number of heads and two weights.

    The class is made anew for every probe, because an answer may give it methods of its own.
    """

    class Attention(nn.Module):
        def __init__(self, C, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.qkv = nn.Linear(C, 3 * C, bias=False)
            self.out = nn.Linear(C, C, bias=False)

    return Attention
