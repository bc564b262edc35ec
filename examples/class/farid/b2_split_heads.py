def split_heads(x, n_heads):
    b, t, c = x.shape
    if c % n_heads:
        raise ValueError(c)
    return x.reshape(b, t, n_heads, c // n_heads).swapaxes(1, 2)
