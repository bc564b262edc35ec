def count_parameters(d_model, n_heads, bias=False):
    per_head = 4 * d_model * d_model
    if bias:
        per_head += 4 * d_model
    return n_heads * per_head
