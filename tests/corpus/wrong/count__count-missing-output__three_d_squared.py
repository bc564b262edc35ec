def count_parameters(d_model, n_heads, bias=False):
    return 3 * d_model * d_model + (3 * d_model if bias else 0)
