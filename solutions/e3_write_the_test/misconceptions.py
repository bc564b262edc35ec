"""Checks that let bugs through or refuse what is right. The docstring of each is the sentence its author hears.

`compare` is a good check whose numbers and comparison can be spoiled.
"""

import math

import torch

from autograder.course import misconception


def split(t, h):
    return t.unflatten(-1, (h, -1)).transpose(1, 2)


def straight_split(t, h):
    B, T, C = t.shape
    return t.reshape(B, h, T, C // h)


def merge(y):
    return y.transpose(1, 2).flatten(2)


def straight_merge(y):
    B, h, T, d = y.shape
    return y.reshape(B, T, h * d)


def reference(x, qkv_weight, out_weight, h, visible=0, divisor=None, dim=-1, cut=split, join=merge, order=(0, 1, 2)):
    T, C = x.shape[1:]
    thirds = (x @ qkv_weight.T).split(C, dim=-1)
    q, k, v = (cut(thirds[which], h) for which in order)
    scores = q @ k.mT / (divisor or math.sqrt(C // h))
    weights = scores.masked_fill(torch.ones(T, T).tril(visible) == 0, -torch.inf).softmax(dim)
    return join(weights @ v) @ out_weight.T


def drawn(B=2, T=5, h=3, d=6, spread=1.0):
    """Seeded x, qkv_weight, out_weight and h; weights have a standard deviation of spread / sqrt(C)."""
    draw = torch.Generator().manual_seed(3)
    x = torch.randn(B, T, h * d, generator=draw)
    weights = (spread * torch.randn(n * h * d, h * d, generator=draw) / math.sqrt(h * d) for n in (3, 1))
    return x, *weights, h


def compare(mha, inputs, atol=1e-4, part=..., **spoiled):
    off = mha(*inputs) - reference(*inputs, **spoiled)
    assert off[part].abs().max() <= atol, "wrong values"


def keeps_the_past(mha, x, *rest):
    changed = x.clone()
    changed[:, -1] += 1.0
    assert torch.allclose(mha(x, *rest)[:, :-1], mha(changed, *rest)[:, :-1], atol=1e-5), "the future leaks"


# Nothing is asked of the numbers


@misconception("check-passes-everything")
def check(mha):
    """Nothing was refused. The wrong ones return the right shape and ordinary numbers, the same each time: say what the
    values have to be, and forgive no more than rounding; 1e-4 is generous."""
    x, *rest = drawn()
    assert mha(x, *rest).shape == x.shape


@misconception("check-passes-everything")
def check(mha):
    """Nothing was refused. The wrong ones return the right shape and ordinary numbers, the same each time: say what the
    values have to be, and forgive no more than rounding; 1e-4 is generous."""
    inputs = drawn()
    assert mha(*inputs).isfinite().all()
    assert mha(*inputs).equal(mha(*inputs))


@misconception("check-passes-everything")
def check(mha):
    """Nothing was refused. The wrong ones return the right shape and ordinary numbers, the same each time: say what the
    values have to be, and forgive no more than rounding; 1e-4 is generous."""
    compare(mha, drawn(), atol=10.0)


@misconception("check-returns-verdict")
def check(mha):
    """The verdict is returned, and nobody looks at it. A check says no by raising: write assert in front of it."""
    inputs = drawn()
    return torch.allclose(mha(*inputs), reference(*inputs), atol=1e-4)


@misconception("check-returns-verdict")
def check(mha):
    """Something is returned, and nobody looks at it. A check says no by raising: assert what has to be true."""
    x, *rest = drawn()
    return mha(x, *rest).shape == x.shape


@misconception("check-never-asks")
def check(mha):
    """mha was never called, so nothing about it can be found out."""
    assert callable(mha)


@misconception("check-never-asks")
def check(mha):
    """This compares your own code with itself; mha was never called."""
    inputs = drawn()
    assert torch.allclose(reference(*inputs), reference(*inputs))


# The numbers hide the bugs


@misconception("check-one-token")
def check(mha):
    """A single token can only look at itself, with weight 1: masks, scales and most layouts are the same there. Use
    several tokens."""
    compare(mha, drawn(T=1))


@misconception("check-passes-everything")
def check(mha):
    """Nothing was refused. A single token can only look at itself, with weight 1, and its shape tells even less. Use
    several tokens, and look at values."""
    x, *rest = drawn(T=1)
    assert mha(x, *rest).shape == x.shape


@misconception("check-leaks-only")
def check(mha):
    """The future is well guarded: who lets it through is caught. A wrong scale, wrong weights or heads dealt out like
    cards leak nothing and pass: look at values too."""
    keeps_the_past(mha, *drawn())


@misconception("check-one-head")
def check(mha):
    """With one head there is nothing to split, deal out or merge, and sqrt(C) is sqrt(d). Use several heads."""
    compare(mha, drawn(h=1))


@misconception("check-passes-everything")
def check(mha):
    """Nothing was refused: look at values, not at the shape alone. And use several heads; with one there is nothing to
    split or merge."""
    x, *rest = drawn(h=1)
    assert mha(x, *rest).shape == x.shape


@misconception("check-one-head")
def check(mha):
    """The future is well guarded, in one head at least. Scale and weights leak nothing: look at values too, with
    several heads."""
    keeps_the_past(mha, *drawn(h=1))


@misconception("check-one-head-size")
def check(mha):
    """Heads of a single channel cannot be cut the wrong way, and the root of 1 is 1. Let h and d be larger than 1, and
    different."""
    compare(mha, drawn(h=6, d=1))


@misconception("check-saturated")
def check(mha):
    """Your weights are so large that nearly every token looks at one other token alone, and then the scale does not
    matter. Divide them by sqrt(C)."""
    compare(mha, drawn(spread=400.0), atol=1.0)


@misconception("check-passes-everything")
def check(mha):
    """Nothing was refused: look at values, not at the shape alone. And divide the weights by sqrt(C); these are so
    large that nearly every token looks at one other token alone."""
    x, *rest = drawn(spread=400.0)
    assert mha(x, *rest).shape == x.shape


@misconception("check-weights-too-small")
def check(mha):
    """With weights that small all scores are about 0 and all outputs too, so nearly any answer is within your
    tolerance. Divide standard normal numbers by sqrt(C)."""
    compare(mha, drawn(spread=0.08), atol=1e-2)


@misconception("check-weights-too-small")
def check(mha):
    """With weights that small all scores are about 0: every visible token weighs the same, whatever scale and keys say.
    Divide standard normal numbers by sqrt(C)."""
    compare(mha, drawn(spread=0.08))


@misconception("check-tokens-alike")
def check(mha):
    """Where all tokens are alike, their average is the same whoever is looked at. Use numbers that differ from token to
    token."""
    x, *rest = drawn()
    compare(mha, (torch.ones_like(x), *rest))


@misconception("check-passes-everything")
def check(mha):
    """Nothing was refused. All tokens are alike (zeros, ones, copies), and with the averages of equal tokens most is
    right by itself. Use numbers that differ, and look at values."""
    x, *rest = drawn()
    assert mha(torch.ones_like(x), *rest).shape == x.shape


@misconception("check-passes-everything")
def check(mha):
    """Nothing was refused. Where all tokens are zeros the answer is zero whatever happens inside: use numbers that
    differ."""
    x, *rest = drawn()
    assert mha(0 * x, *rest).abs().max() == 0


@misconception("check-symmetric-output")
def check(mha):
    """Where out_weight is its own transpose, as an identity or all ones are, nobody can tell how it was used. Draw it
    like the other weights."""
    x, qkv_weight, out_weight, h = drawn()
    compare(mha, (x, qkv_weight, torch.eye(len(out_weight)), h))


@misconception("check-same-projections")
def check(mha):
    """Where queries, keys and values have the same weights, nobody can tell which is which. Draw three times as many
    rows."""
    x, qkv_weight, out_weight, h = drawn()
    third = qkv_weight[: len(out_weight)]
    compare(mha, (x, torch.cat([third, third, third]), out_weight, h))


# Only a part of the answer is looked at


@misconception("check-last-token-only")
def check(mha):
    """A missing mask goes unseen. The last token may see everything anyway, so it never notices: compare the tokens
    before it too."""
    compare(mha, drawn(), part=(slice(None), -1))


@misconception("check-first-token-only")
def check(mha):
    """What you compare does not depend on the scale. The first token, for one, sees only itself and never notices:
    compare all tokens, and numbers of ordinary size."""
    compare(mha, drawn(), part=(slice(None), 0))


# Right ones are refused, or nobody is


@misconception("check-refuses-right")
def check(mha):
    """A right implementation is refused. Either the comparison is too strict (sums in another order differ in their
    last digits; allow 1e-4), or what you expect is not what C3 computes: print the largest difference."""
    compare(mha, drawn(), atol=0.0)


@misconception("check-refuses-right")
def check(mha):
    """A right implementation is refused. Numbers of 100 have rounding errors a hundred times those of 1: divide the
    weights by sqrt(C), or compare with a tolerance that grows with the numbers."""
    compare(mha, drawn(spread=40.0), atol=1e-7)


@misconception("check-expects-a-bug")
def check(mha):
    """The implementation without a mask is the only one you accept: is there none in what you expect? Or is the first
    one that comes taken for a model?"""
    compare(mha, drawn(), visible=99)


@misconception("check-expects-a-bug")
def check(mha):
    """What you expect looks one token ahead: row t of the scores may see columns 0 to t."""
    compare(mha, drawn(), visible=1)


@misconception("check-expects-a-bug")
def check(mha):
    """What you expect does not scale the scores: they are divided by sqrt(d)."""
    compare(mha, drawn(), divisor=1)


@misconception("check-expects-a-bug")
def check(mha):
    """What you expect divides the scores by the root of the width: a dot product runs over one head, so it is
    sqrt(d)."""
    compare(mha, drawn(), divisor=math.sqrt(18))


@misconception("check-expects-a-bug")
def check(mha):
    """What you expect has columns that sum to 1: each query shares out its attention among the keys, dim=-1."""
    compare(mha, drawn(), dim=-2)


@misconception("check-expects-a-bug")
def check(mha):
    """What you expect takes the keys for queries: the first third of qkv_weight makes the queries."""
    compare(mha, drawn(), order=(1, 0, 2))


@misconception("check-expects-a-bug")
def check(mha):
    """What you expect cuts through the tokens: split into (B, T, h, d) first, then transpose, and back the same way."""
    compare(mha, drawn(), cut=straight_split, join=straight_merge)


@misconception("check-expects-a-bug")
def check(mha):
    """What you expect merges (B, h, T, d) as it stands: transpose first, so that the heads of one token lie side by
    side."""
    compare(mha, drawn(), join=straight_merge)


@misconception("check-expects-a-bug")
def check(mha):
    """What you expect deals the channels out to the heads like cards: a head is a block of neighbours."""
    compare(
        mha,
        drawn(),
        cut=lambda t, h: t.unflatten(-1, (-1, h)).permute(0, 3, 1, 2),
        join=lambda y: y.permute(0, 2, 3, 1).flatten(2),
    )


@misconception("check-expects-a-bug")
def check(mha):
    """What you expect ends before out_weight: the last step is @ out_weight.T."""
    x, qkv_weight, out_weight, h = inputs = drawn()
    off = mha(*inputs) - reference(x, qkv_weight, torch.eye(len(out_weight)), h)
    assert off.abs().max() < 1e-4


@misconception("check-depends-on-luck")
def check(mha):
    """The verdict changes from one time to the next: the numbers are drawn anew, and what you ask of them is only
    likely. Seed them, and ask for what is certain."""
    x, *rest = drawn(h=2, d=2)
    mean = mha(torch.randn_like(x), *rest).mean()
    assert abs(mean) < 0.15


@misconception("check-raises-other-errors")
def check(mha):
    """The wrong ones are noticed, and then something else than an AssertionError is raised, which is a crash to whoever
    runs the check. Use assert."""
    inputs = drawn()
    if not torch.allclose(mha(*inputs), reference(*inputs), atol=1e-4):
        raise ValueError("wrong values")


@misconception("check-raises-other-errors")
def check(mha):
    """The wrong ones are noticed, and then something else than an AssertionError is raised, which is a crash to whoever
    runs the check. Use assert."""
    inputs = drawn()
    if not torch.allclose(mha(*inputs), reference(*inputs), atol=1e-4):
        raise Exception("wrong values")


@misconception("check-asks-wrongly", proves="name")
def check(mha):
    """n_heads comes last: mha(x, qkv_weight, out_weight, n_heads)."""
    x, qkv_weight, out_weight, h = drawn()
    assert mha(x, h, qkv_weight, out_weight).shape == x.shape


@misconception("check-asks-wrongly", proves="name")
def check(mha):
    """The fused weight has a row for each output and a column for each input: (3C, C), as torch.nn.Linear keeps it."""
    x, qkv_weight, out_weight, h = drawn()
    assert mha(x, qkv_weight.T, out_weight, h).shape == x.shape


@misconception("check-asks-wrongly", proves="name")
def check(mha):
    """mha takes four things, the weights among them: mha(x, qkv_weight, out_weight, n_heads)."""
    x, *_ = drawn()
    assert mha(x).shape == x.shape
