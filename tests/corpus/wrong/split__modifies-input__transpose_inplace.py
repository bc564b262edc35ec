def split_heads(x, n_head):
    B, T, C = x.shape
    x.resize_(B, T, n_head, C // n_head)
    return x.transpose(1, 2)
