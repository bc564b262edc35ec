def merge_heads(y):
    return y.movedim(1, 2).flatten(-2)
