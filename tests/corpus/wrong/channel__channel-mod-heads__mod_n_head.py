def head_of_channel(c, d_model, n_head):
    return c % n_head
