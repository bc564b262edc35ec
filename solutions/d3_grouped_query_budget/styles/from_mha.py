def count_gqa(d_model: int, n_heads: int, n_kv_heads: int, bias: bool = False) -> int:
    full = 4 * d_model * d_model + 4 * d_model * bool(bias)
    dropped = (n_heads - n_kv_heads) * (d_model // n_heads)  # outputs that neither W_K nor W_V has any more
    return full - 2 * dropped * (d_model + (1 if bias else 0))


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    numbers_per_token = n_layers * (n_kv_heads * d_head + n_kv_heads * d_head)
    return numbers_per_token * tokens * batch * bytes_per_number
