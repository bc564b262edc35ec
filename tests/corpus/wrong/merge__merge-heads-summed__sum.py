def merge_heads(x):
    return x.sum(dim=1)
