def count_parameters(d_model, n_heads, bias=False):
    return n_heads * 4 * d_model * (d_model + bias)
