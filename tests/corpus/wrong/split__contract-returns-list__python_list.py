def split_heads(x, n_head):
    hd = x.size(-1) // n_head
    return [x[:, :, i * hd : (i + 1) * hd] for i in range(n_head)]
