def merge_heads(y):
    B, h, T, d = y.size()
    return y.transpose(1, 2).reshape(B, T, h * d)
