def split_heads(x, n_heads):
    B, T, C = x.shape
    if C % n_heads:
        raise ValueError("n_heads has to divide d_model")
    d = C // n_heads
    if n_heads == 1:
        return x
    return x.view(B, T, n_heads, d).transpose(1, 2)
