"""Wrong ways to recover a head count that are worth naming. The docstring is the sentence its author hears."""

import torch

from autograder.course import misconception

_right = recover_n_head  # noqa: F821 - the model answer stands above this file when a wrong answer runs
_attend = mha_by_loop  # noqa: F821


def _divisors(C):
    return [n for n in range(1, C + 1) if C % n == 0]


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


@misconception("recover-last-fit")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You keep the last head count that fits. With a single token all of them fit: say that you cannot tell when
    several do."""
    found = None
    for n, error in _errors(qkv_weight, out_weight, x, y).items():
        if error < 1e-4:
            found = n
    if found is None:
        raise ValueError("no head count fits")
    return found


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
    inner = _divisors(x.shape[-1])[1:-1]
    fits = [n for n, error in _errors(qkv_weight, out_weight, x, y, inner).items() if error < 1e-4]
    if len(fits) != 1:
        raise ValueError("nothing between one head and C heads fits")
    return fits[0]


@misconception("recover-loose-tolerance")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Your tolerance lets wrong head counts pass. The right one is off by rounding only, about a millionth."""
    for n, error in _errors(qkv_weight, out_weight, x, y).items():
        if error < 0.1:
            return n
    raise ValueError("no head count fits")


@misconception("recover-exact-equality", proves="name")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You wait for equality to the last bit. The same sums in another order differ there: allow for rounding."""
    fits = [n for n in _divisors(x.shape[-1]) if torch.equal(_attend(x, qkv_weight, out_weight, n), y)]
    if len(fits) != 1:
        raise ValueError(f"{len(fits)} head counts give exactly this output")
    return fits[0]


@misconception("recover-exact-equality", proves="name")
def recover_n_head(qkv_weight, out_weight, x, y):
    """Your tolerance is tighter than float32: its sums are right to about six digits, so nothing fits for you."""
    fits = [n for n, error in _errors(qkv_weight, out_weight, x, y).items() if error < 1e-9]
    if len(fits) != 1:
        raise ValueError(f"{len(fits)} head counts fit within 1e-9")
    return fits[0]


@misconception("recover-head-size")
def recover_n_head(qkv_weight, out_weight, x, y):
    """That is the size of a head. Asked is how many heads there are: the width divided by it."""
    return x.shape[-1] // _right(qkv_weight, out_weight, x, y)


@misconception("recover-position-zero", proves="name")
def recover_n_head(qkv_weight, out_weight, x, y):
    """You compare position 0, which is the same for every head count. Compare all positions."""
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
