def split_heads(x, n_heads):
    B, T, C = x.shape
    if C % n_heads:
        raise ValueError("n_heads has to divide d_model")
    d = C // n_heads
    out = x.new_zeros(B, n_heads, T, d)
    for h in range(n_heads):
        out[:, h] = x[:, :, h * d : (h + 1) * d]
    return out
