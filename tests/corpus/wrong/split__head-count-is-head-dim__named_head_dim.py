def split_heads(x, n_head):
    head_dim = n_head
    return x.unflatten(-1, (-1, head_dim)).transpose(1, 2)
