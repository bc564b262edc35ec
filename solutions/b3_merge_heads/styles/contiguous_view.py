def merge_heads(y):
    B, n_head, T, head_size = y.size()
    y = y.transpose(1, 2).contiguous().view(B, T, n_head * head_size)
    return y
