def merge_heads(x):
    B, h, T, hd = x.shape
    return x.transpose(1, 3).reshape(B, T, h * hd)
