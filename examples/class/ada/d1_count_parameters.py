def count_parameters(d_model, n_heads, bias=False):
    # the heads cancel: h * (d_model / h) = d_model
    return 4 * d_model * (d_model + (1 if bias else 0))
