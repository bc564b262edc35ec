def split_heads(x, n_heads):
    B, T, C = x.shape
    if C % n_heads:
        raise ValueError("n_heads has to divide the width")
    return x.reshape(B, T, n_heads, C // n_heads).transpose(1, 2)
