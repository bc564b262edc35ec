def merge_heads(y):
    B, h, T, d = y.shape
    return y.float().transpose(1, 2).reshape(B, T, h * d)
