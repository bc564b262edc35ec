from fractions import Fraction
from itertools import accumulate
from operator import mul


def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    share = Fraction(n_kv_heads, n_heads)
    weights = d_model**2 * (1 + share + share + 1)
    biases = d_model * (1 + share + share + 1) if bias else 0
    return int(weights + biases)


def kv_cache_bytes(*sizes, **named):
    (*_, product) = accumulate([*sizes, *named.values()], mul)
    return product << 1
