def split_heads(x, n_head):
    B, T, C = x.shape
    return x.data.view(B, T, n_head, C // n_head).transpose(1, 2)
