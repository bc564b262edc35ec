def split_heads(x, n_heads):
    B, T, C = x.shape
    assert C % n_heads == 0
    x = x.detach()  # there is nothing to learn in here
    return x.reshape(B, T, n_heads, C // n_heads).transpose(1, 2)
