def count_parameters(d_model, n_heads, bias=False):
    return 4 * d_model ** 2
