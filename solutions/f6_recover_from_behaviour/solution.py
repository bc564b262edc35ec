"""F6. Recover the head count from behaviour.

Goal
    This time not even an output is left, only a trained model and the task it was trained for. Load it with every head
    count that is possible and see with which of them it knows its task.

What is given
    state_dict      the weights; "tok.weight" (V, C) tells the width C
    build(n_head)   a new model of the right sizes with random weights. It takes a state dict with strict=True and turns
                    tokens (N, T) into logits (N, T, V); the logits at position t are about the token at t + 1
    tokens          (N, 2H): in each sequence H random letters, and then the same H letters again

    Nobody can predict the first H letters, so only those of the copy, at positions H .. 2H - 1, count.

    The loss of a guess is the cross entropy in nats: minus the log of the chance that the model gave to the token that
    came. `copy_losses` averages it over the copies of all sequences, once for every head count that divides C.

Example
    A model that knows nothing loses ln V everywhere, whatever its head count:

    >>> class Ignorant(nn.Module):
    ...     def __init__(self, n_head):
    ...         super().__init__()
    ...         self.tok = nn.Embedding(16, 6)
    ...     def forward(self, tokens):
    ...         return torch.zeros(*tokens.shape, 16)
    >>> losses = copy_losses(Ignorant, Ignorant(1).state_dict(), torch.tensor([[3, 1, 2, 3, 1, 2]]))
    >>> {n_head: round(loss, 3) for n_head, loss in losses.items()}
    {1: 2.773, 2: 2.773, 3: 2.773, 6: 2.773}
"""

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional


def copy_losses(
    build: Callable[[int], nn.Module], state_dict: dict[str, torch.Tensor], tokens: torch.Tensor
) -> dict[int, float]:
    """The mean loss on the second half of tokens (N, 2H), for every head count that divides the width."""
    ### BEGIN SOLUTION
    C, H = state_dict["tok.weight"].shape[1], tokens.shape[1] // 2
    losses = {}
    for n_head in range(1, C + 1):
        if C % n_head:
            continue
        model = build(n_head)
        model.load_state_dict(state_dict, strict=True)
        with torch.no_grad():
            logits = model(tokens)[:, H - 1 : -1]  # (N, H, V): what is said about positions H .. 2H - 1
        losses[n_head] = functional.cross_entropy(logits.flatten(0, 1), tokens[:, H:].flatten()).item()
    return losses
    ### END SOLUTION


def recover_n_head_from_loss(
    build: Callable[[int], nn.Module], state_dict: dict[str, torch.Tensor], tokens: torch.Tensor
) -> int:
    """The head count with which the model copies best."""
    ### BEGIN SOLUTION
    losses = copy_losses(build, state_dict, tokens)
    return min(losses, key=losses.get)
    ### END SOLUTION
