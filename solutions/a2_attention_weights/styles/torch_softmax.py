import torch
import torch.nn.functional as F


def attention_weights(scores: torch.Tensor, may_look: torch.Tensor) -> torch.Tensor:
    scores = scores.masked_fill(may_look.logical_not(), float("-inf"))
    return F.softmax(scores, dim=-1)
