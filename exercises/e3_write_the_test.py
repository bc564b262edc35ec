"""E3. Write the test.

Goal
    Most bugs in attention are silent: the shapes fit, nothing crashes, and only the numbers are wrong. Write the test
    that notices. It is handed implementations of multi-head attention, right ones and wrong ones, and cannot look
    inside; all it can do is call them and look at what comes back.

Shapes
    mha(x, qkv_weight, out_weight, n_heads) -> y computes causal multi-head attention as in C3:

    x           (B, T, C)   up to C = 768; B * T * C and B * h * T * T up to 2**16 and 2**18
    qkv_weight  (3C, C)     query rows, then key rows, then value rows, used as x @ w.T
    out_weight  (C, C)      used as y @ out_weight.T
    y           (B, T, C)

    Tensors are answered with tensors, arrays with arrays, in the dtype of x. The answer comes from another process, so
    no gradient flows through mha, and it is always the same for the same question. One check may ask up to 150 times.

What counts
    check(mha) raises an AssertionError for an implementation that is wrong, which `assert` does, and returns nothing
    for one that is right. Any other exception is a crash and catches nobody. Seven bugs are waiting, and each of them
    keeps the shape right. Refuse a right implementation and nothing counts: they round differently in the last digits,
    as yours and torch's do. Each implementation is asked more than once, so a test that depends on luck is found out.

    Every file is checked on its own: what you want to use from C3 has to be copied into this one.

Example
    >>> def lazy(x, qkv_weight, out_weight, n_heads):
    ...     return 0 * x  # the right shape, and nothing else
    >>> try:
    ...     check(lazy)
    ... except AssertionError:
    ...     print("caught")
    caught
"""

import math

import torch


def check(mha) -> None:
    """Raise an AssertionError unless mha(x, qkv_weight, out_weight, n_heads) is causal multi-head attention."""
    raise NotImplementedError("check is not written yet")
