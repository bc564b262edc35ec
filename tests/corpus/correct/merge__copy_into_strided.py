def merge_heads(x):
    B, h, T, hd = x.shape
    buf = x.new_empty(B, T, h, hd)
    buf.copy_(x.transpose(1, 2))
    return buf.view(B, T, h * hd)
