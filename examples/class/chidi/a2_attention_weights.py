import torch


def attention_weights(scores: torch.Tensor, may_look: torch.Tensor) -> torch.Tensor:
    return scores.masked_fill(~may_look, -torch.inf).softmax(dim=-1)
