def split_heads(x, n_head):
    hd = x.shape[-1] // n_head
    assert hd * n_head == x.shape[-1]
    return x.unfold(-1, hd, hd).transpose(1, 2)
