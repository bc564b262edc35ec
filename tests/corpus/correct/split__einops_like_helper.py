def _rearrange_b_t_hd(x, h):
    b, t, hd = x.shape
    return x.reshape(b, t, h, hd // h).permute(0, 2, 1, 3)


def split_heads(x, n_head):
    return _rearrange_b_t_hd(x, h=n_head)
