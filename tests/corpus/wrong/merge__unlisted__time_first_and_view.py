def merge_heads(y):
    B, h, T, d = y.shape
    return y.permute(2, 0, 1, 3).view(B, T, h * d)
