def merge_heads(x):
    B, h, T, hd = x.size()
    return x.transpose(1, 2).reshape(B, T, h * hd)
