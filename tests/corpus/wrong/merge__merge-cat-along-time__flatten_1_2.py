def merge_heads(x):
    return x.flatten(1, 2)
