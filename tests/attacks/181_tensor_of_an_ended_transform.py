# KIND: source
# TARGET: causal_mask
# CLASS: results
# EXPECT: WRONG_TYPE
# MUST: a tensor whose numbers cannot be read is of the wrong type, not an exception without a line
import torch


def causal_mask(T):
    kept = []
    torch.func.vmap(lambda row: (kept.append(row), row)[1])(torch.ones(T, T, dtype=torch.bool).tril())
    return kept[0]
