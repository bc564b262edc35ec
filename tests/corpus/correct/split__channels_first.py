def split_heads(x, n_heads):
    B, T, C = x.shape
    if C % n_heads:
        raise ValueError("n_heads has to divide d_model")
    d = C // n_heads
    return x.transpose(1, 2).reshape(B, n_heads, d, T).transpose(2, 3)
