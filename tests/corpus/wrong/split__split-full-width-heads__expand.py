def split_heads(x, n_head):
    B, T, C = x.shape
    return x.unsqueeze(1).expand(B, n_head, T, C)
