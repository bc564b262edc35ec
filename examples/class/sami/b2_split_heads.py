def split_heads(x, n_heads):
    B = x.shape(0)
    T = x.shape(1)
    C = x.shape(2)
    return x.view(B, T, n_heads, C // n_heads).transpose(1, 2)
