def merge_heads(x):
    return x.amax(dim=1)
