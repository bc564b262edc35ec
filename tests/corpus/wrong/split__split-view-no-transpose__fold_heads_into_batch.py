def split_heads(x, n_head):
    B, T, C = x.shape
    hd = C // n_head
    folded = x.contiguous().view(B * n_head, -1, hd)
    return folded.view(B, n_head, T, hd)
