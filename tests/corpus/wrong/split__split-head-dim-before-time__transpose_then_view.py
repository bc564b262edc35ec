def split_heads(x, n_head):
    B, T, C = x.shape
    return x.transpose(1, 2).reshape(B, n_head, C // n_head, T)
