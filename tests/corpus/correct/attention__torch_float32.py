import torch


def attention_weights(scores, may_look):
    return scores.float().masked_fill(~may_look, -torch.inf).softmax(-1)
