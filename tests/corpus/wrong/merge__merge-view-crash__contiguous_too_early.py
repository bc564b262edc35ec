def merge_heads(x):
    B, h, T, hd = x.shape
    return x.contiguous().permute(0, 2, 1, 3).view(B, T, h * hd)
