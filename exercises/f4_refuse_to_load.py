"""F4. Refuse to load.

Goal
    A state dict of shapes cannot say how many heads it was trained with, and so nothing complains. Write the two
    functions that would have told: one puts the number of heads into the file, the other refuses a model with another.

What is given
    module           an attention layer; `module.n_heads` is its number of heads, its weights are in its state dict
    path             where the checkpoint goes. torch.save and torch.load take the name of a file and an open binary
                     file alike, and so should you: hand `path` on as it is. The checks pass an io.BytesIO, a file that
                     lives in memory, because a submission may not write to the disk.

    load_checkpoint fills the module and changes nothing else. It raises a ValueError, before it touches any weight,
    - when the head counts differ; the message names both, so that whoever reads it knows what to mend;
    - when the file does not say, as an old one does not: that one holds `module.state_dict()` and nothing else. Here
      the RuntimeError in which load_state_dict names what is missing will do as well.

Example
    >>> import io
    >>> class Layer(nn.Linear):
    ...     n_heads = 16
    >>> trained, file = Layer(2, 2), io.BytesIO()
    >>> save_checkpoint(file, trained)
    >>> fresh = Layer(2, 2)
    >>> load_checkpoint(io.BytesIO(file.getvalue()), fresh)
    >>> torch.equal(fresh.weight, trained.weight)
    True
    >>> fresh.n_heads = 12
    >>> load_checkpoint(io.BytesIO(file.getvalue()), fresh)
    Traceback (most recent call last):
    ...
    ValueError: the checkpoint was trained with 16 heads, the model has 12
"""

from typing import BinaryIO

import torch
from torch import nn


def save_checkpoint(path: str | BinaryIO, module: nn.Module) -> None:
    """Write the weights of a module and its number of heads."""
    raise NotImplementedError("save_checkpoint is not written yet")


def load_checkpoint(path: str | BinaryIO, module: nn.Module) -> None:
    """Fill the module with what `save_checkpoint` wrote.

    Raise a ValueError, and leave the module as it is, when the file has another number of heads or tells none.
    """
    raise NotImplementedError("load_checkpoint is not written yet")
