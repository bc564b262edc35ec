"""Wrong translations that are worth naming. The docstring of each is the sentence its author hears."""

from autograder.course import misconception

_right_interleaved = from_interleaved  # noqa: F821 - the model answer stands above this file when a wrong answer runs
_right_per_head = from_per_head  # noqa: F821


def _sort(rows, parts, first, second):
    """Rows (parts, first, second) in the order (parts, second, first)."""
    return rows.reshape(parts, first, second, -1).transpose(1, 2).reshape(rows.shape)


@misconception("translate-nothing")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """Nothing was moved. The shapes are the same in both orders, which is why nobody complains; the rows are not."""
    return qkv_weight, out_weight


@misconception("translate-nothing")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """You cut the rows into (3, h, d), but they are (3, d, h): after the way back nothing has moved."""
    C = out_weight.shape[0]
    return qkv_weight.reshape(3, n_heads, C // n_heads, C).reshape(3 * C, C), out_weight


@misconception("translate-inverse")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """That is the way back, from this course's order to the interleaved one: cut into (3, d, h), not (3, h, d)."""
    d = out_weight.shape[0] // n_heads
    return _sort(qkv_weight, 3, n_heads, d), _sort(out_weight.T, 1, n_heads, d).T


@misconception("translate-inverse")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """The columns of out_weight are right, but the rows of qkv_weight went the other way: cut them into (3, d, h)."""
    _, out = _right_interleaved(qkv_weight, out_weight, n_heads)
    return _sort(qkv_weight, 3, n_heads, out_weight.shape[0] // n_heads), out


@misconception("translate-inverse")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """The rows of qkv_weight are right, but the columns of out_weight went the other way: cut them into (d, h)."""
    qkv, _ = _right_interleaved(qkv_weight, out_weight, n_heads)
    return qkv, _sort(out_weight.T, 1, n_heads, out_weight.shape[0] // n_heads).T


@misconception("translate-output-forgotten")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """The heads are right, but out_weight still expects their channels in the old order: move its columns along."""
    return _right_interleaved(qkv_weight, out_weight, n_heads)[0], out_weight


@misconception("translate-output-rows")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """You moved the rows of out_weight, which are the channels it writes. It reads the heads by its columns."""
    qkv, _ = _right_interleaved(qkv_weight, out_weight, n_heads)
    return qkv, _sort(out_weight, 1, out_weight.shape[0] // n_heads, n_heads)


@misconception("translate-output-rows")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """You moved the columns of out_weight and its rows as well. The rows are the channels it writes; they stay."""
    qkv, out = _right_interleaved(qkv_weight, out_weight, n_heads)
    return qkv, _sort(out, 1, out_weight.shape[0] // n_heads, n_heads)


@misconception("translate-only-output")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """You moved the columns of out_weight only. The rows that make queries, keys and values stand in the old order."""
    return qkv_weight, _right_interleaved(qkv_weight, out_weight, n_heads)[1]


@misconception("translate-across-thirds")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """You sorted all 3C rows at once, so queries, keys and values got mixed: each third is sorted for itself."""
    _, out = _right_interleaved(qkv_weight, out_weight, n_heads)
    return _sort(qkv_weight, 1, 3 * out_weight.shape[0] // n_heads, n_heads), out


@misconception("translate-some-thirds")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """Queries and keys are sorted and the values are not, although their channels are interleaved in the same way."""
    qkv, out = _right_interleaved(qkv_weight, out_weight, n_heads)
    qkv = qkv.clone()
    qkv[2 * out.shape[0] :] = qkv_weight[2 * out.shape[0] :]
    return qkv, out


@misconception("translate-some-thirds")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """The queries are sorted; the keys and values are not, although they are interleaved in the same way."""
    qkv, out = _right_interleaved(qkv_weight, out_weight, n_heads)
    qkv = qkv.clone()
    qkv[out.shape[0] :] = qkv_weight[out.shape[0] :]
    return qkv, out


@misconception("translate-columns")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """You moved the columns of qkv_weight, which are the channels of x. The channels of the heads are its rows."""
    qkv = _sort(qkv_weight.T, 1, out_weight.shape[0] // n_heads, n_heads).T
    return qkv, _right_interleaved(qkv_weight, out_weight, n_heads)[1]


@misconception("translate-columns")
def from_interleaved(qkv_weight, out_weight, n_heads):
    """You moved the columns of qkv_weight as well, which are the channels of x: x does not change its order."""
    qkv, out = _right_interleaved(qkv_weight, out_weight, n_heads)
    return _sort(qkv.T, 1, out_weight.shape[0] // n_heads, n_heads).T, out


@misconception("translate-nothing")
def from_per_head(qkv_weight, n_heads):
    """Nothing was moved: the rows stand where they stood. reshape alone never moves one, whatever axes you name; two
    axes have to change places in between."""
    return qkv_weight


@misconception("translate-nothing")
def from_per_head(qkv_weight, n_heads):
    """Nothing was moved: the rows stand where they stood. reshape alone never moves one, whatever axes you name; two
    axes have to change places in between."""
    C = qkv_weight.shape[1]
    return qkv_weight.reshape(n_heads, 3, C // n_heads, C).reshape(3, n_heads, C // n_heads, C).reshape(3 * C, C)


@misconception("translate-inverse")
def from_per_head(qkv_weight, n_heads):
    """That is the way back, from (3, h, d) to (h, 3, d). The foreign rows are (h, 3, d): cut them like that."""
    C = qkv_weight.shape[1]
    return qkv_weight.reshape(3, n_heads, C // n_heads, C).transpose(0, 1).reshape(3 * C, C)


@misconception("translate-other-layout")
def from_per_head(qkv_weight, n_heads):
    """You read the rows as (h, d, 3), with q, k and v side by side for every channel. They are (h, 3, d)."""
    C = qkv_weight.shape[1]
    return qkv_weight.reshape(n_heads, C // n_heads, 3, C).permute(2, 0, 1, 3).reshape(3 * C, C)


@misconception("translate-other-layout")
def from_per_head(qkv_weight, n_heads):
    """You brought the rows into the order (3, d, h), which interleaves the heads. Wanted is (3, h, d)."""
    C = qkv_weight.shape[1]
    return qkv_weight.reshape(n_heads, 3, C // n_heads, C).permute(1, 2, 0, 3).reshape(3 * C, C)


@misconception("translate-other-layout")
def from_per_head(qkv_weight, n_heads):
    """You treated the rows as interleaved, (3, d, h). These are in whole heads, (h, 3, d)."""
    return _sort(qkv_weight, 3, qkv_weight.shape[1] // n_heads, n_heads)
