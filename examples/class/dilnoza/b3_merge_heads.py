def merge_heads(y):
    B, h, T, d_head = y.shape
    return y.transpose(1, 2).contiguous().view(B, T, h * d_head)
