def merge_heads(x):
    B, h, T, hd = x.shape
    y = x.reshape(h, B, T, hd).permute(1, 2, 0, 3)
    return y.reshape(B, T, h * hd)
