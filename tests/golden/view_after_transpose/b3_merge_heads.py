def merge_heads(y):
    B, h, T, d = y.shape
    return y.transpose(1, 2).view(B, T, h * d)
