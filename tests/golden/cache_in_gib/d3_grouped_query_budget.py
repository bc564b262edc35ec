def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    d_kv = d_model // n_heads * n_kv_heads
    weights = 2 * d_model * d_model + 2 * d_model * d_kv
    return weights + (2 * d_model + 2 * d_kv if bias else 0)


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    return 2 * n_layers * n_kv_heads * d_head * tokens * batch * bytes_per_number / 1024**3
