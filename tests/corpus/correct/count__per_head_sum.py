def count_parameters(d_model, n_heads, bias=False):
    d_head = d_model // n_heads
    per_head = 3 * (d_model * d_head + (d_head if bias else 0))
    out = d_model * d_model + (d_model if bias else 0)
    return n_heads * per_head + out
