import numpy as np


def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    d_head = d_model // n_heads
    shapes = [(d_model, d_model), (n_kv_heads * d_head, d_model), (n_kv_heads * d_head, d_model), (d_model, d_model)]
    if bias:
        shapes += [(shape[0],) for shape in shapes]
    return int(sum(np.prod(shape) for shape in shapes))


def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    keys = np.broadcast_to(np.int8(0), (n_layers, batch, n_kv_heads, tokens, d_head))
    return 2 * keys.size * bytes_per_number
