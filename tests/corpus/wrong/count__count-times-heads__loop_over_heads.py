def count_parameters(d_model, n_heads, bias=False):
    total = 0
    for _ in range(n_heads):
        total += 4 * d_model * d_model
    return total + 4 * d_model * int(bias)
