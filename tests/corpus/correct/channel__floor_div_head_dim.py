def head_of_channel(c, d_model, n_head):
    head_dim = d_model // n_head
    return c // head_dim
