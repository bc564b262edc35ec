def split_heads(x, n_head, head_dim=64):
    return x.unflatten(-1, (n_head, head_dim)).transpose(1, 2)
