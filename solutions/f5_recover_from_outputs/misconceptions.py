"""Wrong ways to recover a head count that are worth naming. The docstring is the sentence its author hears."""

import torch

from autograder.course import misconception

_right = recover_n_head  # noqa: F821 - the model answer stands above this file when a wrong answer runs
_attend = mha_by_loop  # noqa: F821


def _divisors(C):
    return [n for n in range(1, C + 1) if C % n == 0]


def _only_fit(qkv_weight, out_weight, x, y, candidates=None, tolerance=1e-4):
    fits = [n for n, error in _errors(qkv_weight, out_weight, x, y, candidates).items() if error < tolerance]
    if len(fits) != 1:
        raise ValueError("cannot tell")
    return fits[0]


def _errors(qkv_weight, out_weight, x, y, candidates=None):
    """The largest error of every candidate."""
    candidates = candidates or _divisors(x.shape[-1])
    return {n: (_attend(x, qkv_weight, out_weight, n) - y).abs().max().item() for n in candidates}


@misconception("recover-first-divisor")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You return the first number that divides the width. Nearly every head count divides it: run the attention
    with each and compare with y."""
    return next(n for n in _divisors(x.shape[-1]) if n > 1)


@misconception("recover-first-divisor")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You return the largest number that divides the width. Run the attention with each divisor and compare with y."""
    return _divisors(x.shape[-1])[-1]


@misconception("recover-first-fit")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Several head counts fit, and one of them is returned all the same. Try every one from 1 to C itself, and say that
    you cannot tell when several are left: with a single token all of them fit."""
    for n, error in _errors(qkv_weight, out_weight, x, y).items():
        if error < 1e-4:
            return n
    raise ValueError("no head count fits")


@misconception("recover-first-fit")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Several head counts fit and the first of them is returned all the same; where none does there is nothing to
    return. Raise a ValueError unless exactly one fits."""
    fits = [n for n, error in _errors(qkv_weight, out_weight, x, y).items() if error < 1e-4]
    return fits[0]


@misconception("recover-closest")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You take whichever head count comes closest. Something always does, with a single token too, and even with the
    output of another layer: ask whether it fits, and whether it is the only one."""
    errors = _errors(qkv_weight, out_weight, x, y)
    return min(errors, key=errors.get)


@misconception("recover-only-one-token-refused")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You refuse a single token and nothing else. There are other outputs that cannot tell, such as that of a layer
    whose queries are zero: count how many head counts fit."""
    if x.shape[1] == 1:
        raise ValueError("one token cannot tell")
    errors = _errors(qkv_weight, out_weight, x, y)
    return min(errors, key=errors.get)


@misconception("recover-all-integers", proves="name")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You try every number, and 5 heads cannot be cut out of 24 channels: only numbers that divide the width can be
    head counts."""
    return _only_fit(qkv_weight, out_weight, x, y, range(1, x.shape[-1] + 1))


@misconception("recover-all-integers", proves="name")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You try every number, and 5 heads cannot be cut out of 24 channels: only numbers that divide the width can be
    head counts."""
    C = x.shape[-1]
    for n in range(1, C + 1):
        x.reshape(1, -1, n, C // n)
    return _right(qkv_weight, out_weight, x, y)


@misconception("recover-few-candidates")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You choose between 12 and 16 only. Any number that divides the width may be the head count."""
    fits = [n for n in (12, 16) if x.shape[-1] % n == 0 and _errors(qkv_weight, out_weight, x, y, [n])[n] < 1e-4]
    if len(fits) != 1:
        raise ValueError("neither 12 nor 16 heads")
    return fits[0]


@misconception("recover-few-candidates")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You try powers of two only. Any number that divides the width may be the head count, 3 and 12 among them."""
    powers = [n for n in _divisors(x.shape[-1]) if n & (n - 1) == 0]
    fits = [n for n, error in _errors(qkv_weight, out_weight, x, y, powers).items() if error < 1e-4]
    if len(fits) != 1:
        raise ValueError("no power of two fits")
    return fits[0]


@misconception("recover-few-candidates")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Your search leaves out the ends. A single head and heads of one channel are head counts as well."""
    return _only_fit(qkv_weight, out_weight, x, y, _divisors(x.shape[-1])[1:-1])


@misconception("recover-few-candidates")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Your search starts too late: a single head is a head count as well."""
    return _only_fit(qkv_weight, out_weight, x, y, _divisors(x.shape[-1])[1:])


@misconception("recover-few-candidates")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Your search ends too early: as many heads as channels are a head count as well, and range(1, C) stops before."""
    return _only_fit(qkv_weight, out_weight, x, y, _divisors(x.shape[-1])[:-1])


@misconception("recover-loose-tolerance")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Your tolerance lets wrong head counts pass. The right one is off by rounding only, about a millionth."""
    for n, error in _errors(qkv_weight, out_weight, x, y).items():
        if error < 0.1:
            return n
    raise ValueError("no head count fits")


@misconception("recover-loose-tolerance")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Your tolerance lets wrong head counts pass, so that several seem to fit. The right one is off by rounding only,
    about a millionth."""
    return _only_fit(qkv_weight, out_weight, x, y, tolerance=0.1)


@misconception("recover-loose-tolerance")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Your tolerance is larger than some outputs are, so that wrong head counts pass. The right one is off by rounding
    only, about a millionth."""
    return _only_fit(qkv_weight, out_weight, x, y, tolerance=1e-2)


@misconception("recover-exact-equality")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Your tolerance is tighter than float32: the same sums in another order differ in their last digits, so nothing
    fits for you unless it is in whole numbers."""
    fits = [n for n in _divisors(x.shape[-1]) if torch.equal(_attend(x, qkv_weight, out_weight, n), y)]
    if len(fits) != 1:
        raise ValueError(f"{len(fits)} head counts give exactly this output")
    return fits[0]


@misconception("recover-exact-equality")
def recover_n_head(qkv_weight, out_weight, x, y):
    """torch.allclose is nearly exact for numbers close to 0, as its atol is 1e-8, and the same sums in another order
    differ there by more. Give it an atol."""
    fits = [n for n in _divisors(x.shape[-1]) if torch.allclose(_attend(x, qkv_weight, out_weight, n), y)]
    if len(fits) != 1:
        raise ValueError(f"{len(fits)} head counts give this output")
    return fits[0]


@misconception("recover-head-size")
def recover_n_head(qkv_weight, out_weight, x, y):
    """That is the size of a head. Asked is how many heads there are: the width divided by it."""
    return x.shape[-1] // _right(qkv_weight, out_weight, x, y)


@misconception("recover-part-of-output")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You compare a part of y only, such as the last position or one channel. A head count has to explain all of it."""
    outputs = {n: _attend(x, qkv_weight, out_weight, n)[:, -1] for n in _divisors(x.shape[-1])}
    fits = [n for n, output in outputs.items() if torch.allclose(output, y[:, -1], atol=1e-4)]
    if len(fits) != 1:
        raise ValueError("cannot tell")
    return fits[0]


@misconception("recover-position-zero", proves="nothing")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Whatever you are asked, you cannot tell. If all head counts fit for you, you may be comparing position 0, which
    is the same for all; if none does, try your loop on the example of C3, and a wider tolerance."""
    return _right(qkv_weight, out_weight, x[:, :1], y[:, :1])


@misconception("recover-all-fits")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You return a list of all that fit. Asked is the head count itself, and an error when there is not exactly one."""
    return [n for n, error in _errors(qkv_weight, out_weight, x, y).items() if error < 1e-4]


@misconception("recover-returns-nothing")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Where you cannot tell you return None, which the next line will take for an answer. Raise a ValueError."""
    fits = [n for n, error in _errors(qkv_weight, out_weight, x, y).items() if error < 1e-4]
    return fits[0] if len(fits) == 1 else None


@misconception("recover-returns-nothing")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Where you cannot tell you return 0, which the next line will take for an answer. Raise a ValueError."""
    fits = [n for n, error in _errors(qkv_weight, out_weight, x, y).items() if error < 1e-4]
    return fits[0] if len(fits) == 1 else 0
