def head_of_channel(c, d_model, n_head):
    head, _lane = divmod(c, d_model // n_head)
    return head
