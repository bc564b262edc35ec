def count_parameters(d_model, n_heads, bias=False):
    total = 4 * d_model * d_model
    for _ in range(n_heads):
        total += 4 * d_model if bias else 0
    return total
