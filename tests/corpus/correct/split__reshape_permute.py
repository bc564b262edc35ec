def split_heads(x, n_head):
    B, T, C = x.size()
    return x.reshape(B, T, n_head, -1).permute(0, 2, 1, 3)
