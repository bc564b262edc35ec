def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    d_head = d_model // n_heads
    one_head = d_model * d_head + (d_head if bias else 0)
    total = 0
    for head in range(n_heads):
        total += one_head  # a query of its own
        if head % (n_heads // n_kv_heads) == 0:
            total += 2 * one_head  # the first of a group brings key and value
    return total + d_model**2 + (d_model if bias else 0)


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    total = 0
    for _ in range(n_layers):
        for _kind in ("keys", "values"):
            for _ in range(batch):
                total += n_kv_heads * tokens * d_head * bytes_per_number
    return total
