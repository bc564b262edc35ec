def split_heads(x, n_head):
    return x.unflatten(-1, (n_head, x.size(-1) // n_head)).transpose(1, 2)
