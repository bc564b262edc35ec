def count_parameters(d_model, n_heads, bias=False):
    total = 4 * d_model**2
    return total + 4 * d_model if bias else total
