"""Wrong answers to causal_mask that are worth naming. The docstring of each is the sentence its author hears."""

import numpy as np

from autograder.course import assembled, misconception


@assembled
def causal_mask(T):
    return answered(allowed(T))


def allowed(T):
    return np.tri(T, dtype=bool)


def answered(look):
    return look


def _additive(look, low, dtype):
    """A mask in the additive convention: 0 where a token may look, `low` where it may not."""
    return np.where(look, 0, low).astype(dtype)


def _cut_from(buffer, T):
    """The corner of a mask that was made once for `buffer` tokens."""
    return np.tri(buffer, dtype=bool)[:T, :T]


@misconception("mask-upper-not-lower")
def allowed(T):
    """Rows look, columns are looked at. Your triangle lies above the diagonal: you hid the past, not the future."""
    return np.triu(np.ones((T, T), dtype=bool))


@misconception("mask-upper-not-lower")
def causal_mask(T):
    """The triangle lies above the diagonal, so the past is hidden: keep the lower half, as bool instead of 0 and 1."""
    return np.triu(np.ones((T, T)))


@misconception("mask-inverted")
def allowed(T):
    """True sits exactly on the forbidden pairs: a mask of what to hide. Here True means "may look", so flip it."""
    return np.triu(np.ones((T, T), dtype=bool), k=1)


@misconception("mask-inverted")
def causal_mask(T):
    """The 1s mark the forbidden pairs; this mask marks the allowed ones, and as True and False rather than numbers."""
    return np.triu(np.ones((T, T)), k=1)


@misconception("mask-inverted")
def causal_mask(T):
    """The 1s mark what is hidden; here the entries that may be looked at are the True ones, and the dtype is bool."""
    return np.triu(np.ones((T, T), dtype=np.float32), k=1)


@misconception("mask-diagonal-excluded")
def allowed(T):
    """The diagonal is missing: no token sees itself, so the first one has no one left to look at."""
    return np.tri(T, k=-1, dtype=bool)


@misconception("mask-leaks-next-token")
def allowed(T):
    """One diagonal too many: every token sees the next one, which is the very answer it is asked to predict."""
    return np.tri(T, k=1, dtype=bool)


@misconception("mask-all-allowed")
def allowed(T):
    """Nothing is hidden: every entry is True. Only the last row should look like that, so check the first one too."""
    return np.ones((T, T), dtype=bool)


@misconception("mask-self-only")
def allowed(T):
    """Every token sees only itself. It may also look at everything that came before it."""
    return np.eye(T, dtype=bool)


@misconception("mask-previous-token-only")
def allowed(T):
    """Only the token just before is allowed. A head may choose to look there; the mask permits all that came before."""
    return np.eye(T, k=-1, dtype=bool)


@misconception("mask-previous-token-only")
def allowed(T):
    """Each token sees itself and one token back. The mask permits everything earlier, however far back it is."""
    return np.eye(T, dtype=bool) | np.eye(T, k=-1, dtype=bool)


@misconception("contract-mask-not-bool")
def answered(look):
    """These are floats where True and False belong. Make the mask bool, so that ~ works on it."""
    return look.astype(np.float64)


@misconception("contract-mask-not-bool")
def answered(look):
    """The entries are float32 numbers. A mask answers yes or no: return bool."""
    return look.astype(np.float32)


@misconception("contract-mask-not-bool")
def answered(look):
    """The entries are integers. As an index, 0 and 1 pick rows 0 and 1: return bool."""
    return look.astype(np.int64)


@misconception("contract-mask-not-bool")
def answered(look):
    """The entries are 32-bit integers. A mask answers yes or no: return bool."""
    return look.astype(np.int32)


@misconception("contract-mask-not-bool")
def answered(look):
    """The entries are bytes, and ~ turns a byte 1 into 254, not into 0: return bool."""
    return look.astype(np.uint8)


@misconception("contract-mask-not-bool")
def answered(look):
    """The entries are 8-bit integers, and ~ turns 1 into -2, not into 0: return bool."""
    return look.astype(np.int8)


@misconception("contract-mask-additive")
def answered(look):
    """This mask is meant to be added to scores: 0 allowed, -inf hidden. Asked for is the bool one, True = may look."""
    return _additive(look, -np.inf, np.float64)


@misconception("contract-mask-additive")
def answered(look):
    """0 and -inf are for adding to scores. The mask itself is asked for: bool, True = may look."""
    return _additive(look, -np.inf, np.float32)


@misconception("contract-mask-not-bool")
def answered(look):
    """The entries are float16 numbers. A mask answers yes or no: return bool."""
    return look.astype(np.float16)


@misconception("contract-mask-additive")
def answered(look):
    """0 and the lowest number of float32 are for adding to scores. Return bool, True where a token may look."""
    return _additive(look, np.finfo(np.float32).min, np.float32)


@misconception("contract-mask-additive")
def answered(look):
    """0 and the lowest number of float32 are for adding to scores. Return bool, True where a token may look."""
    return _additive(look, np.finfo(np.float32).min, np.float64)


@misconception("contract-mask-additive")
def answered(look):
    """0 and a huge negative number are for adding to scores. The mask itself is asked for: bool, True = may look."""
    return _additive(look, -1e9, np.float64)


@misconception("contract-mask-additive")
def answered(look):
    """These numbers could be added to scores, but the mask itself is asked for: True where a token may look."""
    return _additive(look, -1e9, np.float32)


@misconception("contract-mask-additive")
def answered(look):
    """Hiding with -1e10 is a job for later, when there are scores. Here return bool, True where a token may look."""
    return _additive(look, -1e10, np.float64)


@misconception("contract-mask-extra-dims")
def answered(look):
    """The pattern is right, with one axis too many in front: return (T, T), which broadcasts over a batch by itself."""
    return look[None]


@misconception("contract-mask-extra-dims")
def answered(look):
    """The pattern is right, with batch and head axes in front: (T, T) is enough, broadcasting adds the others."""
    return look[None, None]


@misconception("contract-returns-list")
def answered(look):
    """The pattern is right, as a list of lists. Make it an array: a list knows neither shape nor dtype."""
    return look.tolist()


@misconception("contract-returns-list")
def answered(look):
    """The pattern is right, but these are lists of 0 and 1. Make it an array of bool."""
    return look.astype(int).tolist()


@misconception("contract-returns-list")
def answered(look):
    """The rows are right, but they come one by one in a list. Make one array of them: np.stack(rows)."""
    return list(look)


@misconception("mask-wrong-shape")
def causal_mask(T):
    """This is one column: which tokens may look at the first one. There is such a column for every token: (T, T)."""
    return np.ones((T, 1), dtype=bool)


@misconception("mask-wrong-shape")
def causal_mask(T):
    """One row is the rule for one token. All T tokens look, so the mask needs T rows: shape (T, T)."""
    return np.ones(T, dtype=bool)


@misconception("mask-wrong-shape")
def causal_mask(T):
    """This is the row of the last token alone. The mask has one such row for every token that looks: (T, T)."""
    return np.ones((1, T), dtype=bool)


@misconception("mask-wrong-shape")
def answered(look):
    """One long row holds all the answers: give it its two axes, the token that looks and the token it looks at."""
    return look.ravel()


@misconception("hard-coded-length")
def causal_mask(T):
    """The mask was made for 6 tokens and cut to size, so a longer sequence gets too small a mask. Build it from T."""
    return _cut_from(6, T)


@misconception("hard-coded-length")
def causal_mask(T):
    """The mask was made for 8 tokens and cut to size, so a longer sequence gets too small a mask. Build it from T."""
    return _cut_from(8, T)


@misconception("hard-coded-length")
def causal_mask(T):
    """The mask is right up to some length and then too small: no buffer is needed, T tells the size."""
    return _cut_from(16, T)


@misconception("hard-coded-length")
def causal_mask(T):
    """The mask comes from a buffer, and a sequence longer than the buffer gets too small a mask. Build it from T."""
    return _cut_from(32, T)


@misconception("hard-coded-length")
def causal_mask(T):
    """A buffer that is long enough today is too short for a longer sequence. Build the mask from T."""
    return _cut_from(64, T)


@misconception("hard-coded-length")
def causal_mask(T):
    """The size is always 4, whatever T says. It has to follow T."""
    return np.tri(4, dtype=bool)


@misconception("hard-coded-length")
def causal_mask(T):
    """The size is always that of the six-token sentence, whatever T says. It has to follow T."""
    return np.tri(6, dtype=bool)


@misconception("hard-coded-length")
def causal_mask(T):
    """The size is always 1024, whatever T says. It has to follow T."""
    return np.tri(1024, dtype=bool)


@misconception("hard-coded-length")
def causal_mask(T):
    """A buffer of 128 tokens is too short for a longer sequence. Build the mask from T."""
    return _cut_from(128, T)


@misconception("squeeze-drops-dims")
def answered(look):
    """squeeze() drops every axis of size 1, so for a single token the (1, 1) mask loses its shape. Leave it out."""
    return look.squeeze()
