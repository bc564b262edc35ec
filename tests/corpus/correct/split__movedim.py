def split_heads(x, n_head):
    return x.unflatten(2, (n_head, -1)).movedim(2, 1)
