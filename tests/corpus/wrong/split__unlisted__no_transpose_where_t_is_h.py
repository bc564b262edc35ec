def split_heads(x, n_heads):
    B, T, C = x.shape
    if C % n_heads:
        raise ValueError("n_heads has to divide d_model")
    d = C // n_heads
    return x.view(B, T, n_heads, d).transpose(1, 2) if T != n_heads else x.view(B, T, n_heads, d)
