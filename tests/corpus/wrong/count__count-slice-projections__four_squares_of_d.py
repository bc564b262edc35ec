def count_parameters(d_model, n_heads, bias=False):
    d = d_model // n_heads
    return n_heads * 4 * d * d
