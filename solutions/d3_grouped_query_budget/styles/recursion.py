def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    d = d_model // n_heads
    linear = lambda n_in, n_out: n_in * n_out + n_out * int(bias)  # noqa: E731
    return sum([linear(d_model, n_heads * d), 2 * linear(d_model, n_kv_heads * d), linear(n_heads * d, d_model)])


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    if tokens == 0:
        return 0
    half = tokens // 2
    if half:
        return sum(
            kv_cache_bytes(n_layers, n_kv_heads, d_head, part, batch, bytes_per_number)
            for part in (half, tokens - half)
        )
    return n_layers * batch * 2 * n_kv_heads * d_head * bytes_per_number
