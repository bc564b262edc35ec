def head_of_channel(c, d_model, n_head):
    head, _ = divmod(c, n_head)
    return head
