CONFIG = {"n_head": 12}


def head_of_channel(c, d_model, n_head):
    return c * CONFIG["n_head"] // d_model
