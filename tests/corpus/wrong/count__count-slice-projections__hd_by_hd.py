def count_parameters(d_model, n_heads, bias=False):
    d_head = d_model // n_heads
    total = 3 * n_heads * d_head * d_head + d_model * d_model
    return total + (4 * d_model if bias else 0)
