def split_heads(x, n_head):
    B, T, C = x.shape
    return x.view(B, n_head, T, C // n_head)
