import torch


def attention_weights(scores, may_look):
    return scores.masked_fill(may_look.logical_not(), float("-inf")).softmax(1)
