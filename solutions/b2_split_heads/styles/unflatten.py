def split_heads(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).movedim(2, 1)
