def count_parameters(d_model, n_heads, bias=False):
    total = 4 * d_model * d_model
    if bias:
        total += d_model
    return total
