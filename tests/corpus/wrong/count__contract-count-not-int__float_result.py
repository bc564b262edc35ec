def count_parameters(d_model, n_heads, bias=False):
    d_head = d_model / n_heads
    return n_heads * 3 * d_model * d_head + d_model * d_model + 4 * d_model * bias
