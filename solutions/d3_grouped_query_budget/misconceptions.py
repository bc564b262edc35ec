"""Wrong answers to count_gqa and kv_cache_bytes that are worth naming. The docstring is what its author hears."""

import math

from autograder.course import assembled, misconception

_right = count_gqa  # noqa: F821 - the model answers stand above this file when a wrong answer runs
_right_cache = kv_cache_bytes  # noqa: F821


def _layer(d_model, bias, q=None, k=None, v=None, o=None):
    """Parameters of four projections: the outputs of q, k and v, and the inputs of W_O; d_model where not said."""
    q, k, v, o = (d_model if size is None else size for size in (q, k, v, o))
    return (q + k + v) * (d_model + bool(bias)) + (o + bool(bias)) * d_model


@assembled
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    q = asked(d_model, n_heads, n_kv_heads)
    k, v = shared(d_model, n_heads, n_kv_heads)
    o = mixed(d_model, n_heads, n_kv_heads)
    return (q + k + v + o) * d_model + bias_numbers(d_model, q, k, v, o, bias)


def asked(C, h, n_kv):
    """Outputs of W_Q."""
    return C


def shared(C, h, n_kv):
    """Outputs of W_K and of W_V."""
    return n_kv * (C // h), n_kv * (C // h)


def mixed(C, h, n_kv):
    """Inputs of W_O, 0 where there is none."""
    return C


def bias_numbers(C, q, k, v, o, bias):
    return (q + k + v + C * bool(o)) * bool(bias)


# count_gqa: which of the four matrices shrink, and by how much


@misconception("gqa-nothing-shared", same_as=("gqa-head-size-from-kv",))
def shared(C, h, n_kv):
    """Your W_K and W_V are as large as W_Q: they have only n_kv_heads heads, each of d_model // n_heads channels."""
    return C, C


@misconception("gqa-nothing-shared")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """The biases are grouped, the weights are not: W_K and W_V have only n_kv_heads heads of d_model // n_heads
    channels."""
    return _with_right_biases(4 * d_model**2, d_model, n_heads, n_kv_heads, bias)


@misconception("gqa-nothing-shared")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """Your W_K and W_V are as large as W_Q: they have only n_kv_heads heads. And with bias=True there are biases."""
    return 4 * d_model**2


@misconception("gqa-head-size-from-kv")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """You made the heads d_model // n_kv_heads wide. A head has d_model // n_heads channels however many share."""
    wide = n_heads * (d_model // n_kv_heads)
    return _layer(d_model, bias, q=wide, o=wide)


@misconception("gqa-head-size-from-kv")
def asked(C, h, n_kv):
    """Your queries have heads of d_model // n_kv_heads channels. A head has d_model // n_heads however many share."""
    return h * (C // n_kv)


@misconception("gqa-head-size-from-kv", same_as=("gqa-nothing-shared",))
def shared(C, h, n_kv):
    """Your W_K and W_V are as large as W_Q: they have only n_kv_heads heads, each of d_model // n_heads channels."""
    return n_kv * (C // n_kv), n_kv * (C // n_kv)


@misconception("gqa-queries-reduced", same_as=("gqa-output-reduced",))
def asked(C, h, n_kv):
    """One of W_Q and W_O shrank as well. There are still n_heads query heads, and W_O hears all of them; only W_K
    and W_V shrink."""
    return n_kv * (C // h)


@misconception("gqa-queries-reduced")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """All four matrices shrank. Only W_K and W_V do: every query head still asks, and W_O hears every one of them."""
    kv = n_kv_heads * (d_model // n_heads)
    return _layer(d_model, bias, kv, kv, kv, kv)


@misconception("gqa-queries-reduced")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """You shrank the whole layer by the size of a group. Only W_K and W_V shrink; W_Q and W_O stay full squares."""
    return _right(d_model, n_heads, n_heads, bias) * n_kv_heads // n_heads


@misconception("gqa-output-reduced", same_as=("gqa-queries-reduced",))
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """One of W_Q and W_O shrank as well. There are still n_heads query heads, and W_O hears all of them; only W_K
    and W_V shrink."""
    kv = n_kv_heads * (d_model // n_heads)
    return (d_model + 3 * kv) * (d_model + bool(bias))


@misconception("gqa-output-reduced")
def mixed(C, h, n_kv):
    """W_O shrank as well. It reads the results of all n_heads query heads side by side, which are d_model wide."""
    return n_kv * (C // h)


@misconception("gqa-one-of-two-reduced")
def shared(C, h, n_kv):
    """Only one of the four matrices shrank. W_K and W_V both do: a group shares its keys and its values."""
    return n_kv * (C // h), C


@misconception("gqa-keys-or-values-missing")
def shared(C, h, n_kv):
    """Keys and values were counted as one matrix. They are shared among query heads, not with each other: two."""
    return n_kv * (C // h), 0


@misconception("gqa-keys-or-values-missing")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """The biases are those of K and V, the weights only of one of them. There are two matrices."""
    kv = n_kv_heads * (d_model // n_heads)
    return _right(d_model, n_heads, n_kv_heads, bias) - d_model * kv


@misconception("gqa-one-head-of-keys")
def shared(C, h, n_kv):
    """W_K and W_V were given the width of one head. They have n_kv_heads heads beside each other."""
    return C // h, C // h


@misconception("gqa-group-for-heads")
def shared(C, h, n_kv):
    """You gave W_K and W_V one head for each member of a group. n_kv_heads is how many groups there are."""
    return h // n_kv * (C // h), h // n_kv * (C // h)


@misconception("count-missing-output")
def mixed(C, h, n_kv):
    """W_O is not counted. It mixes the merged heads and is one d_model x d_model matrix more."""
    return 0


@misconception("count-missing-output")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """Queries, keys and values are right; W_O, which mixes the merged heads, is one d_model x d_model matrix more."""
    return _right(d_model, n_heads, n_kv_heads, bias) - d_model * d_model


# The same once more, by those who counted the biases by themselves and rightly


def _with_right_biases(weights, d_model, n_heads, n_kv_heads, bias):
    return weights + 2 * (d_model + n_kv_heads * (d_model // n_heads)) * bool(bias)


@misconception("gqa-queries-reduced")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """The biases are right, but all four matrices shrank. Only W_K and W_V do."""
    weights = 4 * d_model * n_kv_heads * (d_model // n_heads)
    return _with_right_biases(weights, d_model, n_heads, n_kv_heads, bias)


@misconception("gqa-one-of-two-reduced")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """The biases are right, but only one of the four matrices shrank. W_K and W_V both do."""
    weights = d_model * (3 * d_model + n_kv_heads * (d_model // n_heads))
    return _with_right_biases(weights, d_model, n_heads, n_kv_heads, bias)


@misconception("gqa-one-head-of-keys")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """The biases are right, but W_K and W_V were given the width of one head. They have n_kv_heads of them."""
    weights = 2 * d_model * (d_model + d_model // n_heads)
    return _with_right_biases(weights, d_model, n_heads, n_kv_heads, bias)


@misconception("gqa-group-for-heads")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """The biases are right, but W_K and W_V have one head for each member of a group. n_kv_heads is how many groups
    there are."""
    weights = 2 * d_model * (d_model + n_heads // n_kv_heads * (d_model // n_heads))
    return _with_right_biases(weights, d_model, n_heads, n_kv_heads, bias)


# The same once more, by those who also forgot the biases


def _forgetful(d_model, **sizes):
    return _layer(d_model, False, **sizes)


@misconception("gqa-queries-reduced", same_as=("gqa-output-reduced",))
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """One of W_Q and W_O shrank as well; only W_K and W_V do. And with bias=True there are biases."""
    kv = n_kv_heads * (d_model // n_heads)
    return _forgetful(d_model, q=kv, k=kv, v=kv)


@misconception("gqa-queries-reduced")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """All four matrices shrank; only W_K and W_V do. And with bias=True there are biases."""
    kv = n_kv_heads * (d_model // n_heads)
    return _forgetful(d_model, q=kv, k=kv, v=kv, o=kv)


@misconception("gqa-output-reduced", same_as=("gqa-queries-reduced",))
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """One of W_Q and W_O shrank as well; only W_K and W_V do. And with bias=True there are biases."""
    kv = n_kv_heads * (d_model // n_heads)
    return _forgetful(d_model, k=kv, v=kv, o=kv)


@misconception("gqa-one-of-two-reduced")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """Only one of the four matrices shrank; W_K and W_V both do. And with bias=True there are biases."""
    return _forgetful(d_model, k=n_kv_heads * (d_model // n_heads))


@misconception("gqa-keys-or-values-missing")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """Keys and values were counted as one matrix; there are two. And with bias=True there are biases."""
    return _forgetful(d_model, k=n_kv_heads * (d_model // n_heads), v=0)


@misconception("gqa-one-head-of-keys")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """W_K and W_V were given the width of one head; they have n_kv_heads. And with bias=True there are biases."""
    d_head = d_model // n_heads
    return _forgetful(d_model, k=d_head, v=d_head)


@misconception("count-missing-output")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """Queries, keys and values are right without biases. W_O is one d_model x d_model matrix more, and with bias=True
    there are biases."""
    kv = n_kv_heads * (d_model // n_heads)
    return _forgetful(d_model, k=kv, v=kv, o=0)


@misconception("count-times-heads")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """You multiplied by the heads without making them smaller: a head has d_model // n_heads channels, not d_model."""
    return _layer(d_model, bias, n_heads * d_model, n_kv_heads * d_model, n_kv_heads * d_model, n_heads * d_model)


@misconception("count-times-heads")
def shared(C, h, n_kv):
    """Your keys and values have n_kv_heads times d_model channels: a head has d_model // n_heads of them."""
    return n_kv * C, n_kv * C


@misconception("count-bias-always")
def bias_numbers(C, q, k, v, o, bias):
    """Biases are counted although bias=False."""
    return q + k + v + C * bool(o)


@misconception("count-bias-ignored")
def bias_numbers(C, q, k, v, o, bias):
    """bias changes nothing: with it, every output of every projection has one number more."""
    return 0


@misconception("count-bias-partial")
def bias_numbers(C, q, k, v, o, bias):
    """Of the biases you counted d_model, those of W_Q or W_O alone: every projection has as many as it has outputs."""
    return C * bool(bias)


@misconception("count-bias-partial")
def bias_numbers(C, q, k, v, o, bias):
    """Of the biases d_model are missing, those of W_O or of W_Q: all four projections have theirs."""
    return (q + k + v) * bool(bias)


@misconception("count-bias-partial")
def bias_numbers(C, q, k, v, o, bias):
    """The biases of keys and values are missing: every projection has as many as it has outputs."""
    return 2 * C * bool(bias)


@misconception("count-bias-partial")
def bias_numbers(C, q, k, v, o, bias):
    """Of the biases you counted those of keys and values alone: queries and W_O have theirs, too."""
    return (k + v) * bool(bias)


@misconception("gqa-bias-full-width")
def bias_numbers(C, q, k, v, o, bias):
    """The biases of W_K and W_V are too long: a bias is as long as the outputs it shifts."""
    return 4 * C * bool(bias)


@misconception("contract-count-not-int")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """The number is right, but it came back as a float: / makes floats, // keeps integers."""
    return float(_right(d_model, n_heads, n_kv_heads, bias))


@misconception("contract-count-not-int")
def count_gqa(d_model, n_heads, n_kv_heads, bias=False):
    """The number is right, but it came back as text. Return the int itself; formatting is for printing."""
    return f"{_right(d_model, n_heads, n_kv_heads, bias):,}"


# kv_cache_bytes: what is kept, and for how many


@misconception("cache-keys-only")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is half of it: a cache holds keys and values, so there is a factor of 2."""
    return n_layers * n_kv_heads * d_head * tokens * batch * bytes_per_number


@misconception("cache-holds-queries")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """You keep the queries as well. A query is used once, by its own token; only keys and values are needed again."""
    return 3 * n_layers * n_kv_heads * d_head * tokens * batch * bytes_per_number


@misconception("cache-one-layer")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the cache of one layer. Every layer has keys and values of its own."""
    return 2 * n_kv_heads * d_head * tokens * batch * bytes_per_number


@misconception("cache-one-sequence")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the cache of one sequence. The sequences of a batch hold different tokens, so each has its own."""
    return 2 * n_layers * n_kv_heads * d_head * tokens * bytes_per_number


@misconception("cache-one-token")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is what one token adds. The cache holds all earlier tokens, which is why it grows with the text."""
    return 2 * n_layers * n_kv_heads * d_head * batch * bytes_per_number


@misconception("cache-one-head")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the cache of one head of keys and values. There are n_kv_heads of them."""
    return 2 * n_layers * d_head * tokens * batch * bytes_per_number


@misconception("cache-one-channel")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """Each key and each value is a vector of d_head numbers; you counted one number."""
    return 2 * n_layers * n_kv_heads * tokens * batch * bytes_per_number


@misconception("cache-holds-scores")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """You counted the T x T scores. They are computed when needed; kept are d_head numbers per key and per value."""
    return n_layers * n_kv_heads * tokens * tokens * batch * bytes_per_number


@misconception("cache-holds-scores")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """Your cache grows with the square of the tokens. Each token adds its own key and value and nothing else."""
    return 2 * n_layers * n_kv_heads * d_head * tokens * tokens * batch * bytes_per_number


@misconception("cache-always-twelve-heads")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """Your cache has always 12 heads, as many as GPT-2 small. The number of key and value heads is in the call."""
    return 2 * n_layers * 12 * d_head * tokens * batch * bytes_per_number


@misconception("cache-always-twelve-heads")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """Your cache is always 768 channels wide, as in GPT-2 small. Its width is n_kv_heads * d_head."""
    return 2 * n_layers * 768 * tokens * batch * bytes_per_number


@misconception("cache-numbers-not-bytes")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is how many numbers there are. Each of them takes bytes_per_number bytes."""
    return 2 * n_layers * n_kv_heads * d_head * tokens * batch


@misconception("cache-numbers-not-bytes")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """Your numbers have always 2 bytes. How many they have is in the call."""
    return 4 * n_layers * n_kv_heads * d_head * tokens * batch


@misconception("cache-numbers-not-bytes")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """Your numbers have always 4 bytes. How many they have is in the call."""
    return 8 * n_layers * n_kv_heads * d_head * tokens * batch


@misconception("cache-in-bits")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """Eight times too much: that is the answer in bits."""
    return 8 * _right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number)


@misconception("cache-in-bits")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """An eighth of it: bytes_per_number already is in bytes, so there is nothing to divide by 8."""
    return _right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number) // 8


@misconception("cache-other-unit")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the answer in GiB. Asked for are bytes, a whole number; dividing is for people, when it is printed."""
    return _right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number) / 2**30


@misconception("cache-other-unit")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the answer in MiB. Asked for are bytes, a whole number; dividing is for people, when it is printed."""
    return _right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number) / 2**20


@misconception("cache-other-unit")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the answer in GB of 10**9 bytes, which is not a GiB of 2**30 either. Asked for are bytes."""
    return _right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number) / 10**9


@misconception("cache-other-unit")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the answer in whole MiB, rounded. Asked for are bytes."""
    return math.ceil(_right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number) / 2**20)


@misconception("cache-other-unit")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the answer in whole MiB, rounded down. Asked for are bytes."""
    return _right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number) // 2**20


@misconception("cache-other-unit")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the answer in MB of 10**6 bytes. Asked for are bytes, a whole number."""
    return _right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number) / 10**6


@misconception("cache-other-unit")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """That is the answer in KiB. Asked for are bytes, a whole number; dividing is for people, when it is printed."""
    return _right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number) / 2**10


@misconception("contract-count-not-int")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """The number is right, but it came back as a float. Bytes come in whole numbers."""
    return float(_right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number))


@misconception("contract-count-not-int")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """The number is right, but it came back as text. Return the int itself; formatting is for printing."""
    return str(_right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number))


@misconception("contract-count-not-int")
def kv_cache_bytes(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):
    """The number is right, but it came back as text. Return the int itself; formatting is for printing."""
    return f"{_right_cache(n_layers, n_kv_heads, d_head, tokens, batch, bytes_per_number):,}"
