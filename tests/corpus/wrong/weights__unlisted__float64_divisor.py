import math

import numpy as np
import torch


def causal_attention_weights(q, k):
    B, h, T, d = q.shape
    s = q @ k.mT / torch.from_numpy(np.sqrt(np.array([float(d)])))
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return s.softmax(-1)
