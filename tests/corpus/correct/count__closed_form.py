def count_parameters(d_model, n_heads, bias=False):
    weights = 4 * d_model * d_model
    return weights + (4 * d_model if bias else 0)
