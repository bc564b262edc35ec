def head_of_channel(c, d_model, n_head):
    return c // (d_model // n_head)


def mixture(j, C, h_trained, h_loaded):
    # 16 heads loaded as 12: head j keeps its own channels, the last four heads are gone
    return {j: C // h_trained}
