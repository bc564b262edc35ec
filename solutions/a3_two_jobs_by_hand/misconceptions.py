"""Wrong answers to two_heads that are worth naming. The docstring of each is the sentence its author hears."""

import numpy as np

from autograder.course import misconception


def _positions(block, n_cat):
    """A matrix that acts on the position slots alone."""
    return np.vstack([block, np.zeros((n_cat, block.shape[1]))])


def _categories(block, T):
    """A matrix that acts on the category slots alone."""
    return np.vstack([np.zeros((T, block.shape[1])), block])


def _previous(T, n_cat, strength=6.0):
    """A right head 1."""
    return _positions(strength * np.eye(T, k=-1), n_cat), _positions(np.eye(T), n_cat)


def _same(T, n_cat, strength=4.0):
    """A right head 2."""
    return (_categories(strength * np.eye(n_cat), T),) * 2


def _category_first(matrix, T):
    """The same matrix with its category rows on top of its position rows."""
    return np.vstack([matrix[T:], matrix[:T]])


@misconception("hand-asks-next-token")
def two_heads(T, category, n_cat):
    """Head 1 asks for the token after, which is hidden, so all visible ones look alike to it: shift the other way."""
    return _positions(6 * np.eye(T, k=1), n_cat), _positions(np.eye(T), n_cat), *_same(T, n_cat)


@misconception("hand-asks-itself")
def two_heads(T, category, n_cat):
    """In head 1 query and key are shifted alike, so each token meets itself: shift only one of the two."""
    W_q1, _ = _previous(T, n_cat)
    return W_q1, W_q1, *_same(T, n_cat)


@misconception("hand-asks-itself")
def two_heads(T, category, n_cat):
    """In head 1 every query asks for its own position, so each token looks at itself: shift the query by one."""
    return _positions(6 * np.eye(T), n_cat), _positions(np.eye(T), n_cat), *_same(T, n_cat)


@misconception("hand-looks-two-back")
def two_heads(T, category, n_cat):
    """Head 1 looks two tokens back: query and key are shifted against each other by 2. A shift of one, in one of the
    two, is enough."""
    return _positions(6 * np.eye(T, k=-2), n_cat), _positions(np.eye(T), n_cat), *_same(T, n_cat)


@misconception("hand-looks-two-back")
def two_heads(T, category, n_cat):
    """Head 1 looks two tokens back: query and key are shifted against each other by 2. A shift of one, in one of the
    two, is enough."""
    return _positions(6 * np.eye(T, k=-1), n_cat), _positions(np.eye(T, k=1), n_cat), *_same(T, n_cat)


@misconception("hand-blocks-upside-down")
def two_heads(T, category, n_cat):
    """The blocks are stacked in the wrong order: X lists the position first, then the category, and so do the rows."""
    return tuple(_category_first(matrix, T) for matrix in (*_previous(T, n_cat), *_same(T, n_cat)))


@misconception("hand-blocks-upside-down")
def two_heads(T, category, n_cat):
    """Head 1 has its blocks in the wrong order: the position rows come first, as the position comes first in X."""
    return *(_category_first(matrix, T) for matrix in _previous(T, n_cat)), *_same(T, n_cat)


@misconception("hand-blocks-upside-down")
def two_heads(T, category, n_cat):
    """Head 2 has its blocks in the wrong order: the T position rows come first, then the category rows."""
    return *_previous(T, n_cat), *(_category_first(matrix, T) for matrix in _same(T, n_cat))


@misconception("hand-too-soft")
def two_heads(T, category, n_cat):
    """Both heads look the right way, but softly: a score of 1 hardly beats a score of 0. Make the matches larger."""
    return *_previous(T, n_cat, 1.0), *_same(T, n_cat, 1.0)


@misconception("hand-too-soft")
def two_heads(T, category, n_cat):
    """Head 1 looks the right way, but softly: its match must beat all the other tokens together. Make it larger."""
    return *_previous(T, n_cat, 1.0), *_same(T, n_cat)


@misconception("hand-too-soft")
def two_heads(T, category, n_cat):
    """Head 2 looks the right way, but softly: too much weight stays with other categories. Make the match larger."""
    return *_previous(T, n_cat), *_same(T, n_cat, 1.0)


@misconception("hand-query-key-disagree")
def two_heads(T, category, n_cat):
    """In head 2 the key names another category than the query: to meet, both have to use the same slot for it."""
    return *_previous(T, n_cat), _same(T, n_cat)[0], _categories(4 * np.roll(np.eye(n_cat), 1, axis=1), T)


@misconception("hand-query-key-disagree")
def two_heads(T, category, n_cat):
    """In head 2 the query names another category than the key: to meet, both have to use the same slot for it."""
    return *_previous(T, n_cat), _same(T, n_cat)[0], _categories(4 * np.roll(np.eye(n_cat), -1, axis=1), T)


@misconception("hand-query-key-disagree")
def two_heads(T, category, n_cat):
    """In head 2 the key counts the categories backwards: to meet, query and key have to use the same slot for each."""
    return *_previous(T, n_cat), _same(T, n_cat)[0], _categories(4 * np.eye(n_cat)[::-1], T)


@misconception("hand-query-key-disagree")
def two_heads(T, category, n_cat):
    """In head 2 query and key have opposite signs, so tokens of the same category repel each other."""
    return *_previous(T, n_cat), _same(T, n_cat)[0], -_same(T, n_cat)[0]


@misconception("hand-learns-the-sentence")
def two_heads(T, category, n_cat):
    """Head 2 knows this sentence by heart, position by position. Read the category from X: its last n_cat slots."""
    by_position = _positions(4 * np.eye(n_cat)[category], n_cat)
    return *_previous(T, n_cat), by_position, by_position


@misconception("hand-learns-the-sentence")
def two_heads(T, category, n_cat):
    """The query of head 2 knows this sentence by heart. Let it read the category from X, as the key does."""
    return *_previous(T, n_cat), _positions(4 * np.eye(n_cat)[category], n_cat), _same(T, n_cat)[1]


@misconception("hand-matrices-out-of-order")
def two_heads(T, category, n_cat):
    """The matrices are those of the other head: first the pair that looks back, then the pair for categories."""
    return *_same(T, n_cat), *_previous(T, n_cat)


@misconception("hand-matrices-out-of-order")
def two_heads(T, category, n_cat):
    """Both queries come first, then both keys. Asked for is head by head: W_q1, W_k1, W_q2, W_k2."""
    (W_q1, W_k1), (W_q2, W_k2) = _previous(T, n_cat), _same(T, n_cat)
    return W_q1, W_q2, W_k1, W_k2


@misconception("hand-matrices-transposed")
def two_heads(T, category, n_cat):
    """The matrices lie on their side: X @ W needs one row for each of the T + n_cat numbers of a token."""
    return tuple(matrix.T for matrix in (*_previous(T, n_cat), *_same(T, n_cat)))


@misconception("hand-zero-rows-missing")
def two_heads(T, category, n_cat):
    """A head that ignores part of X still needs rows for it, filled with zeros: T + n_cat rows in all."""
    return 6 * np.eye(T, k=-1), np.eye(T), 4 * np.eye(n_cat), 4 * np.eye(n_cat)


@misconception("hand-returns-projections")
def two_heads(T, category, n_cat):
    """These are queries and keys, X already multiplied in. Asked for are the matrices, so that any X can follow."""
    X = np.hstack([np.eye(T), np.eye(n_cat)[category]])
    return tuple(X @ matrix for matrix in (*_previous(T, n_cat), *_same(T, n_cat)))


@misconception("hard-coded-length")
def two_heads(T, category, n_cat):
    """The matrices are made for 6 tokens, whatever T says: their sizes have to follow T."""
    return *_previous(6, n_cat), *_same(6, n_cat)


@misconception("hard-coded-length")
def two_heads(T, category, n_cat):
    """These are always the matrices for 6 tokens and 3 categories: their sizes have to follow T and n_cat."""
    return *_previous(6, 3), *_same(6, 3)


@misconception("hard-coded-categories")
def two_heads(T, category, n_cat):
    """The matrices are made for 3 categories, whatever n_cat says: count their rows as T + n_cat."""
    return *_previous(T, 3), *_same(T, 3)


@misconception("hard-coded-categories")
def two_heads(T, category, n_cat):
    """Head 1 always has 3 rows of zeros below: it needs one for each category, n_cat of them."""
    return *_previous(T, 3), *_same(T, n_cat)
