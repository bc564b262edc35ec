def merge_heads(x):
    B, h, T, hd = x.shape
    return x.reshape(B, T, h * hd)
