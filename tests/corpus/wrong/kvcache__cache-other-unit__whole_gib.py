def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    d = d_model // n_heads
    kv = n_kv_heads * d
    return 2 * d_model * (d_model + bias) + 2 * kv * (d_model + bias)


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    return 2 * n_layers * batch * n_kv_heads * tokens * d_head * bytes_per_number // 2**30
