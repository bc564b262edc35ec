def split_heads(x, n_head):
    *lead, width = x.shape
    return x.view(*lead, n_head, width // n_head).permute(0, 2, 1, 3)
