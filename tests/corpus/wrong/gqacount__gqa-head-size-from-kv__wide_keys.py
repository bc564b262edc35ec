def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    d = d_model // n_kv_heads
    return (d_model + bias) * d_model * 2 + 2 * (n_kv_heads * d) * (d_model + bias)


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    return 2 * n_layers * n_kv_heads * d_head * tokens * batch * bytes_per_number
