def split_heads(x, n_head):
    B, C = x.size(0), x.size(-1)
    return x.reshape(B, -1, n_head, C // n_head).transpose(1, 2)
