"""A3. Two heads, two jobs, by hand.

Goal
    Queries and keys decide where a head looks, and they are nothing but the input times a matrix. So a head can be
    given a job by writing its two matrices down. Give two heads two jobs on the same input. Head 1 looks at the
    token just before. Head 2 looks at the tokens of its own category. In a trained model nobody hands out jobs like
    these; here you do, to see what a query and a key have to say to each other.

Shapes
    T, n_cat   int                number of tokens (2 to 8) and of categories
    category   list of T ints     the category of each token, 0 .. n_cat - 1
    W_q1, W_k1 (T + n_cat, T)     query and key matrix of head 1
    W_q2, W_k2 (T + n_cat, n_cat) query and key matrix of head 2

    The input X is (T, T + n_cat). The first T numbers of token i say where it stands: a 1 in slot i, zeros elsewhere.
    The last n_cat say what it is: a 1 in the slot of its category. The top T rows of a matrix therefore act on the
    position, the bottom n_cat rows on the category.

    The scores of a head are (X @ W_q) @ (X @ W_k).T, used as they are, without any scaling; a causal mask and a
    softmax turn them into weights. There are many right matrices. Yours are right when
      head 1  gives every token but the first more than 0.95 of its weight to the token just before,
      head 2  gives every token more than 0.99 of its weight to visible tokens of its own category, itself included,
    and when they still do so on another sentence of the same length: the matrices know the job, not the sentence.

    Work in NumPy or in torch, as you like. A file that imports torch is handed tensors and must return tensors.

Example
    "the cat sat": a filler (category 1) and two words that matter (category 0).

    >>> category = [1, 0, 0]
    >>> X = np.hstack([np.eye(3), np.eye(2)[category]])
    >>> X[1].tolist()  # "cat": position 1 of 3, category 0 of 2
    [0.0, 1.0, 0.0, 1.0, 0.0]
    >>> W_q1, W_k1, W_q2, W_k2 = two_heads(3, category, 2)
    >>> W_q1.shape, W_k1.shape, W_q2.shape, W_k2.shape
    ((5, 3), (5, 3), (5, 2), (5, 2))

    In head 1 "sat" scores highest with "cat". In head 2 it scores the same with "cat" and with itself.

    >>> scores = (X @ W_q1) @ (X @ W_k1).T
    >>> int(scores[2].argmax())
    1
    >>> scores = (X @ W_q2) @ (X @ W_k2).T
    >>> bool(scores[2, 1] == scores[2, 2] > scores[2, 0])
    True
"""

import numpy as np


def two_heads(T: int, category: list[int], n_cat: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return (W_q1, W_k1, W_q2, W_k2): head 1 looks at the previous token, head 2 at tokens of its own category.

    W_q1 and W_k1 are (T + n_cat, T), W_q2 and W_k2 are (T + n_cat, n_cat). `category` is the sentence to try them
    on; good matrices fit every sentence of T tokens.
    """
    raise NotImplementedError("two_heads is not written yet")
