def head_of_channel(c, d_model, n_head):
    return c // (3 * d_model // n_head)
