def merge_heads(y):
    B, h, T, d = y.shape
    out = y.new_empty(B, T, h * d)
    for i in range(h):
        out[..., i * d : (i + 1) * d] = y[:, i]
    return out
