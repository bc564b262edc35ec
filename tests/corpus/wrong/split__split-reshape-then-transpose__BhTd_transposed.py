def split_heads(x, n_head):
    B, T, C = x.shape
    return x.reshape(B, n_head, T, C // n_head).permute(0, 2, 1, 3)
