def split_heads(x, n_heads):
    a = x.detach().numpy()
    B, T, C = a.shape
    assert C % n_heads == 0
    return a.reshape(B, T, n_heads, -1).swapaxes(1, 2)
