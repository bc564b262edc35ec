def head_of_channel(c, d_model, n_head):
    return c // (d_model // n_head) + 1
