def merge_heads(x):
    B, h, T, hd = x.shape
    return x[:, :, -1].reshape(B, 1, h * hd)
