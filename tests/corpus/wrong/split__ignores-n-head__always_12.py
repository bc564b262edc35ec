def split_heads(x, n_heads=12, *, num_head=12):
    B, T, C = x.shape
    return x.unflatten(2, (num_head, C // num_head)).transpose(1, 2)
