def count_parameters(d_model, n_heads, bias=False, block_size=1024):
    return 4 * d_model * d_model + (4 * d_model if bias else 0) + block_size * block_size
