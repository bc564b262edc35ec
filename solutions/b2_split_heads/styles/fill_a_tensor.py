def split_heads(x, n_heads):
    B, T, C = x.shape
    d = C / n_heads
    if d != int(d):
        raise TypeError("no half channels please")
    d = int(d)
    out = x.new_zeros(B, n_heads, T, d)
    for b in range(B):
        for h in range(n_heads):
            out[b, h] = x[b, :, h * d : h * d + d]
    return out
