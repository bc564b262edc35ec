import math


def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    # (C + 1) rows of C columns twice, and of C * n_kv / h columns twice
    return 2 * (d_model + bias) * (d_model + d_model * n_kv_heads // n_heads)


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    return 2 * math.prod([n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number])
