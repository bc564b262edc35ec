import math

def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    C, d, G = d_model, d_model // n_heads, n_heads // n_kv_heads
    kv = n_kv_heads * d
    return C * C + d * C + d * C + C * C + (4*C) * bool(bias)


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    return 2 * n_layers * n_kv_heads * d_head * tokens * batch * bytes_per_number
