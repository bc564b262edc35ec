"""D3. What sharing keys and values saves.

Goal
    In grouped-query attention several query heads share one head of keys and values. There are still n_heads patterns
    of attention, but only n_kv_heads sets of keys and values to learn and, which matters more, to remember while a text
    is being generated. Work out both savings.

Shapes
    The head size does not change: d = C // n_heads, as ever. Only the number of key and value heads does.

    W_Q  n_heads * d = C outputs      W_K and W_V  n_kv_heads * d outputs each      W_O  from C to C

    Generating token after token, a model keeps the keys and values of all earlier tokens, so that it never computes
    them again: the KV cache. It holds, in every layer, for every sequence and every token of it, one key and one value
    of d numbers for each of the n_kv_heads. Queries are used once and forgotten.

Example
    Width 4096 with 32 heads, first with keys and values of their own, then with 8 sets for groups of 4 heads.

    >>> count_gqa(4096, 32, 32)
    67108864
    >>> count_gqa(4096, 32, 8)
    41943040
    >>> 41943040 / 67108864
    0.625

    W_Q and W_O stay as they are, so no grouping can bring the parameters below half. The cache has no such floor.
    GPT-2 small (12 layers, 12 heads of 64) with 1,024 tokens, at 2 bytes a number:

    >>> kv_cache_bytes(12, 12, 64, tokens=1024, batch=1, bytes_per_number=2)
    37748736
    >>> 37748736 / 2**20  # in MiB, of 2**20 = 1,048,576 bytes
    36.0

    32 layers, heads of 128, 8,192 tokens, in GiB of 2**30 bytes: 8 key and value heads against 32.

    >>> kv_cache_bytes(32, 8, 128, tokens=8192, batch=1, bytes_per_number=2) / 2**30
    1.0
    >>> kv_cache_bytes(32, 32, 128, tokens=8192, batch=1, bytes_per_number=2) / 2**30
    4.0
"""


def count_gqa(d_model: int, n_heads: int, n_kv_heads: int, bias: bool = False) -> int:
    """How many parameters an attention layer learns in which n_heads query heads share n_kv_heads keys and values.

    n_heads divides d_model, n_kv_heads divides n_heads, and W_O is counted. With bias=True all four projections have
    a bias, otherwise none has one.
    """
    ### BEGIN SOLUTION
    d_head = d_model // n_heads
    queries = (d_model + bias) * d_model
    keys = values = (d_model + bias) * n_kv_heads * d_head
    output = (d_model + bias) * d_model  # W_O
    return queries + keys + values + output
    ### END SOLUTION


def kv_cache_bytes(n_layers: int, n_kv_heads: int, d_head: int, tokens: int, batch: int, bytes_per_number: int) -> int:
    """How many bytes the keys and values of `tokens` tokens take, in all layers and for all `batch` sequences."""
    ### BEGIN SOLUTION
    per_token = 2 * n_kv_heads * d_head  # one key and one value for each head
    return n_layers * batch * tokens * per_token * bytes_per_number
    ### END SOLUTION
