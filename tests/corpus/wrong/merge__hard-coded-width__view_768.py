def merge_heads(x):
    B, h, T, hd = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, 768)
