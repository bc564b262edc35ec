"""Refuses what does not divide, which the exercise does not ask for."""


def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    d_head, rest = divmod(d_model, n_heads)
    group, left = divmod(n_heads, n_kv_heads)
    if rest or left:
        raise ValueError(f"{d_model}, {n_heads} and {n_kv_heads} do not fit")
    d_kv = d_model // group
    assert d_kv == n_kv_heads * d_head
    count = 2 * d_model * d_model + 2 * d_kv * d_model
    if bias:
        count += 2 * d_model + 2 * d_kv
    return count


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    key = value = d_head * bytes_per_number
    per_token_and_layer = (key + value) * n_kv_heads
    return per_token_and_layer * tokens * batch * n_layers
