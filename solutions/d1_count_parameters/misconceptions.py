"""Wrong answers to count_parameters that are worth naming. The docstring of each is the sentence its author hears."""

import numpy as np

from autograder.course import misconception

_right = count_parameters  # noqa: F821 - the model answer stands above this file when a wrong answer runs


def _projections(count, inputs, outputs, bias):
    """Parameters of ``count`` linear layers."""
    return count * outputs * (inputs + bool(bias))


@misconception("count-times-heads")
def count_parameters(d_model, n_heads, bias=False):
    """Your count grows with the heads, but each head is only d_model / h wide: multiply the two and h cancels out."""
    return n_heads * 4 * d_model * d_model + 4 * d_model * bool(bias)


@misconception("count-times-heads")
def count_parameters(d_model, n_heads, bias=False):
    """Your count grows with the heads, but each head is only d_model / h wide: multiply the two and h cancels out."""
    return n_heads * _right(d_model, n_heads, bias)


@misconception("count-times-heads", same_as=("count-full-width-heads",))
def count_parameters(d_model, n_heads, bias=False):
    """Your count grows with the heads, but each head is only d_model / h wide. And with bias=True there are biases."""
    return n_heads * 4 * d_model * d_model


@misconception("count-full-width-heads", same_as=("count-times-heads",))
def count_parameters(d_model, n_heads, bias=False):
    """Your count grows with the heads, but each head is only d_model / h wide. And with bias=True there are biases."""
    return 3 * n_heads * d_model * d_model + n_heads * d_model * d_model


@misconception("count-full-width-heads")
def count_parameters(d_model, n_heads, bias=False):
    """You gave every head projections of the full width. A head has d_model / h outputs; only W_O is a full square."""
    return _projections(3 * n_heads, d_model, d_model, bias) + _projections(1, n_heads * d_model, d_model, bias)


@misconception("count-full-width-heads")
def count_parameters(d_model, n_heads, bias=False):
    """You gave every head projections of the full width. A head has d_model / h outputs; only W_O is a full square."""
    return _projections(3 * n_heads, d_model, d_model, bias) + _projections(1, d_model, d_model, bias)


@misconception("count-full-width-heads")
def count_parameters(d_model, n_heads, bias=False):
    """You gave every head projections of the full width. A head has d_model / h outputs; only W_O is a full square."""
    return _projections(3 * n_heads + 1, d_model, d_model, False) + 4 * d_model * bool(bias)


@misconception("count-missing-output")
def count_parameters(d_model, n_heads, bias=False):
    """Queries, keys and values are there; W_O, which mixes the merged heads, is one d_model x d_model matrix more."""
    return _projections(3, d_model, d_model, bias)


@misconception("count-missing-output")
def count_parameters(d_model, n_heads, bias=False):
    """Queries, keys and values are there; W_O, which mixes the merged heads, is one d_model x d_model matrix more."""
    return 3 * d_model * d_model + 4 * d_model * bool(bias)


@misconception("count-missing-output")
def count_parameters(d_model, n_heads, bias=False):
    """W_O, which mixes the merged heads, is one d_model x d_model matrix more. And with bias=True there are biases."""
    return 3 * d_model * d_model


@misconception("count-qkv-once")
def count_parameters(d_model, n_heads, bias=False):
    """Queries, keys and values each have a matrix of their own: that makes three squares, and W_O is the fourth."""
    return _projections(2, d_model, d_model, bias)


@misconception("count-qkv-once")
def count_parameters(d_model, n_heads, bias=False):
    """Queries, keys and values each have a matrix of their own: that makes three squares, and W_O is the fourth."""
    return 2 * d_model * d_model + 4 * d_model * bool(bias)


@misconception("count-qkv-once")
def count_parameters(d_model, n_heads, bias=False):
    """Queries, keys and values each have a matrix, and W_O is the fourth. And with bias=True there are biases."""
    return 2 * d_model * d_model


@misconception("count-one-head-only")
def count_parameters(d_model, n_heads, bias=False):
    """You counted the projections of a single head. The layer has h of them beside each other."""
    return _projections(3, d_model, d_model // n_heads, bias) + _projections(1, d_model, d_model, bias)


@misconception("count-one-head-only", same_as=("count-slice-projections",))
def count_parameters(d_model, n_heads, bias=False):
    """That much one head holds, or h heads of d x d weights. There are h heads, and each reads all d_model channels."""
    return _projections(3, d_model, d_model // n_heads, False) + d_model * d_model + 4 * d_model * bool(bias)


@misconception("count-one-head-only")
def count_parameters(d_model, n_heads, bias=False):
    """You counted four matrices of d_model x d: that is one head's share. The layer has h heads."""
    return _projections(4, d_model, d_model // n_heads, bias)


@misconception("count-one-head-only")
def count_parameters(d_model, n_heads, bias=False):
    """That is one head's share of the weights, or four d x d matrices for each of h heads. There are h heads, and each
    of their matrices is d_model x d."""
    return 4 * d_model * (d_model // n_heads) + 4 * d_model * bool(bias)


@misconception("count-slice-projections")
def count_parameters(d_model, n_heads, bias=False):
    """That is four d x d matrices for each of h heads, or one head's share of the weights. There are h heads, and each
    of their matrices is d_model x d."""
    return n_heads * _projections(4, d_model // n_heads, d_model // n_heads, bias)


@misconception("count-one-head-only")
def count_parameters(d_model, n_heads, bias=False):
    """You counted one head's share. The layer has h heads, and the bias of W_O is d_model wide."""
    return 4 * d_model * (d_model // n_heads) + (3 * (d_model // n_heads) + d_model) * bool(bias)


@misconception("count-one-head-only")
def count_parameters(d_model, n_heads, bias=False):
    """That is the query, key and value projection of one head. The layer has h heads, and W_O behind them."""
    return _projections(3, d_model, d_model // n_heads, bias)


@misconception("count-slice-projections", same_as=("count-one-head-only",))
def count_parameters(d_model, n_heads, bias=False):
    """That much one head holds, or h heads of d x d weights. There are h heads, and each reads all d_model channels."""
    d_head = d_model // n_heads
    return _projections(3 * n_heads, d_head, d_head, bias) + _projections(1, d_model, d_model, bias)


@misconception("count-slice-projections")
def count_parameters(d_model, n_heads, bias=False):
    """Your heads read only their own slice (d x d weights). Each reads all d_model channels: d_model x d weights."""
    d_head = d_model // n_heads
    return _projections(3, d_head, d_head, bias) + _projections(1, d_model, d_model, bias)


@misconception("count-one-head-only")
def count_parameters(d_model, n_heads, bias=False):
    """That is one head's share, or four d x d matrices for each of h heads. There are h heads, each of their matrices
    is d_model x d, and with bias=True there are biases."""
    return 4 * d_model * (d_model // n_heads)


@misconception("count-slice-projections")
def count_parameters(d_model, n_heads, bias=False):
    """That is four d x d matrices for each of h heads, or one head's share. There are h heads, each of their matrices
    is d_model x d, and with bias=True there are biases."""
    return n_heads * _projections(4, d_model // n_heads, d_model // n_heads, False)


@misconception("count-one-head-only")
def count_parameters(d_model, n_heads, bias=False):
    """That much one head holds beside W_O, or h heads of d x d weights. There are h heads, and each reads all d_model
    channels; with bias=True there are biases, too."""
    return 3 * d_model * (d_model // n_heads) + d_model * d_model


@misconception("count-slice-projections")
def count_parameters(d_model, n_heads, bias=False):
    """That much h heads of d x d weights hold beside W_O, or one head of them. There are h heads, and each reads all
    d_model channels; with bias=True there are biases, too."""
    return 3 * n_heads * (d_model // n_heads) ** 2 + d_model * d_model


@misconception("count-missing-output")
def count_parameters(d_model, n_heads, bias=False):
    """W_O, which mixes the merged heads, is one d_model x d_model matrix more. And biases are counted although
    bias=False."""
    return _projections(3, d_model, d_model, True)


@misconception("count-bias-partial")
def count_parameters(d_model, n_heads, bias=False):
    """The weights are right. A bias is not one number: it has one for every output of its projection, d_model each."""
    return _right(d_model, n_heads) + bool(bias)


@misconception("count-bias-partial")
def count_parameters(d_model, n_heads, bias=False):
    """The weights are right. A bias is not one number: it has one for every output of its projection, d_model each."""
    return _right(d_model, n_heads) + 4 * bool(bias)


@misconception("count-includes-mask")
def count_parameters(d_model, n_heads, bias=False):
    """You counted the causal mask. It is a buffer: saved with the layer perhaps, but never trained."""
    return _right(d_model, n_heads, bias) + 1024 * 1024


@misconception("count-includes-mask")
def count_parameters(d_model, n_heads, bias=False):
    """You counted the causal mask. It is a buffer: saved with the layer perhaps, but never trained."""
    return _right(d_model, n_heads, bias) + 512 * 512


@misconception("count-includes-mask")
def count_parameters(d_model, n_heads, bias=False):
    """You counted the causal mask. It is a buffer: saved with the layer perhaps, but never trained."""
    return _right(d_model, n_heads, bias) + 256 * 256


@misconception("count-includes-activations")
def count_parameters(d_model, n_heads, bias=False):
    """You counted the T x T scores of every head. They are computed for each sequence, not learned."""
    return _right(d_model, n_heads, bias) + n_heads * 1024 * 1024


@misconception("count-includes-activations")
def count_parameters(d_model, n_heads, bias=False):
    """You counted a square of scores for every head. Scores are computed for each sequence, not learned."""
    return _right(d_model, n_heads, bias) + n_heads * d_model * d_model


@misconception("count-bias-always")
def count_parameters(d_model, n_heads, bias=False):
    """Biases are counted although bias=False. (nn.Linear and nn.MultiheadAttention have them unless told otherwise.)"""
    return _right(d_model, n_heads, True)


@misconception("count-bias-ignored")
def count_parameters(d_model, n_heads, bias=False):
    """The weights are right, but bias changes nothing: each of the four projections then has d_model numbers more."""
    return _right(d_model, n_heads)


@misconception("count-bias-partial")
def count_parameters(d_model, n_heads, bias=False):
    """With bias=True all four projections have d_model biases each; you counted those of one."""
    return _right(d_model, n_heads) + d_model * bool(bias)


@misconception("count-bias-partial")
def count_parameters(d_model, n_heads, bias=False):
    """With bias=True all four projections have d_model biases each; you left out those of one."""
    return _right(d_model, n_heads) + 3 * d_model * bool(bias)


@misconception("count-bias-partial")
def count_parameters(d_model, n_heads, bias=False):
    """With bias=True all four projections have d_model biases each; you counted two of the four."""
    return _right(d_model, n_heads) + 2 * d_model * bool(bias)


@misconception("count-bias-partial")
def count_parameters(d_model, n_heads, bias=False):
    """With bias=True all four projections have d_model biases each; you counted the biases of a single head."""
    return _right(d_model, n_heads) + 4 * (d_model // n_heads) * bool(bias)


@misconception("count-bias-partial")
def count_parameters(d_model, n_heads, bias=False):
    """With bias=True all four projections have d_model biases each; of q, k and v you counted those of one head."""
    return _right(d_model, n_heads) + (3 * (d_model // n_heads) + d_model) * bool(bias)


@misconception("count-bias-per-head")
def count_parameters(d_model, n_heads, bias=False):
    """Your biases grow with the heads. Like the weights they do not: the h heads together have d_model outputs."""
    return _right(d_model, n_heads) + n_heads * 4 * d_model * bool(bias)


@misconception("count-bias-per-head")
def count_parameters(d_model, n_heads, bias=False):
    """Your biases grow with the heads. Like the weights they do not: the h heads together have d_model outputs."""
    return _right(d_model, n_heads) + (n_heads * 3 + 1) * d_model * bool(bias)


@misconception("contract-count-not-int")
def count_parameters(d_model, n_heads, bias=False):
    """The number is right, but it came back as a float: / makes floats, // keeps integers."""
    return float(_right(d_model, n_heads, bias))


@misconception("contract-count-not-int")
def count_parameters(d_model, n_heads, bias=False):
    """The number is right, but it came back as text. Return the int itself; formatting is for printing."""
    return f"{_right(d_model, n_heads, bias):,}"


@misconception("contract-count-not-int")
def count_parameters(d_model, n_heads, bias=False):
    """The number is right, but it sits in an array or tensor. Return an int, as int(...) or .item() make it."""
    return np.array(_right(d_model, n_heads, bias))


@misconception("contract-count-not-int")
def count_parameters(d_model, n_heads, bias=False):
    """The number is right, but it came back as text. Return the int itself."""
    return str(_right(d_model, n_heads, bias))
