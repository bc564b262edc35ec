def split_heads(x, n_head):
    T, B, C = x.shape
    return x.view(T, B, n_head, C // n_head).permute(1, 2, 0, 3)
