import torch


def attention_weights(scores, may_look):
    lowest = torch.finfo(scores.dtype).min
    return torch.where(may_look, scores, lowest).log_softmax(1).exp()
