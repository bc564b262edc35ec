import torch
from torch import nn


def causal_mask(T):
    return nn.Transformer.generate_square_subsequent_mask(T) == 0.0
