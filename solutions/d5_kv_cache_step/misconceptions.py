"""Wrong answers to step that are worth naming. The docstring of each is the sentence its author hears.

`Step` is the right answer cut into parts; each wrong one replaces the part in which its thought goes astray.
"""

import math

import torch

from autograder.course import misconception

INF = float("inf")
_right = step  # noqa: F821 - the model answer stands above this file when a wrong answer is cut out


class Step:
    def __call__(self, x_new, weights, n_heads, n_kv_heads, cache=None):
        wq, wk, wv, self.wo = weights
        self.B, self.S, self.C = x_new.shape
        self.h, self.n_kv, self.d = n_heads, n_kv_heads, self.C // n_heads
        self.begins = cache is None
        q = self.split(x_new @ wq.T, n_heads)
        kv = [self.split(x_new @ w.T, n_kv_heads) for w in (wk, wv)]
        k, v = kv if cache is None else self.join(cache, kv)
        kept = self.keep(k, v, kv)
        k, v = self.share(k), self.share(v)
        scores = self.mask(q @ k.transpose(-2, -1) / self.divisor(), k.shape[2])
        return self.finish(scores.softmax(dim=-1) @ v), kept

    def split(self, t, heads):  # (B, S, heads * d) -> (B, heads, S, d)
        return t.reshape(self.B, -1, heads, self.d).transpose(1, 2)

    def join(self, cache, kv):
        return [torch.cat([old, new], dim=2) for old, new in zip(cache, kv, strict=True)]

    def keep(self, k, v, new):
        return k, v

    def share(self, t):
        return t.repeat_interleave(self.h // self.n_kv, dim=1)

    def divisor(self):
        return math.sqrt(self.d)

    def mask(self, scores, T):
        return self.hide(scores, T - self.S)

    def hide(self, scores, diagonal):
        return scores.masked_fill(torch.ones_like(scores).tril(diagonal) == 0, -INF)

    def finish(self, y):
        return y.transpose(1, 2).flatten(2) @ self.wo.T


# What later chunks may look at


@misconception("cache-mask-without-offset")
def step(*inputs):
    """Your mask starts at the first key in every chunk. New token s is token T - S + s of the text: shift it by
    T - S."""

    class Unshifted(Step):
        def mask(self, scores, T):
            return self.hide(scores, 0)

    return Unshifted()(*inputs)


@misconception("cache-mask-without-offset")
def step(*inputs):
    """Where there are several new tokens your mask starts at the first key. New token s is token T - S + s of it all:
    shift it by T - S."""

    class Unshifted(Step):
        def mask(self, scores, T):
            return self.hide(scores, 0) if self.S > 1 else scores

    return Unshifted()(*inputs)


@misconception("cache-mask-square")
def step(*inputs):
    """The mask is (S, S), as if only the new tokens could be looked at. The scores are (S, T): a row for each new
    token, a column for every key."""

    class Square(Step):
        def mask(self, scores, T):
            return scores.masked_fill(torch.ones(self.S, self.S).triu(1) == 1, -INF)

    return Square()(*inputs)


class SquareOfAll(Step):
    def mask(self, scores, T):
        return scores.masked_fill(torch.ones(T, T).triu(1) == 1, -INF)


@misconception("cache-mask-square")
def step(*inputs):
    """The mask is (T, T), as if all tokens asked. The scores are (S, T): only its last S rows are needed."""
    return SquareOfAll()(*inputs)


@misconception("cache-mask-square")
def step(*inputs):
    """The mask is (T, T), as if all tokens asked. The scores are (S, T): only its last S rows are needed."""

    class Reshaped(SquareOfAll):
        def finish(self, y):
            return y.transpose(1, 2).reshape(self.B, self.S, self.C) @ self.wo.T

    return Reshaped()(*inputs)


@misconception("cache-mask-missing-later")
def step(*inputs):
    """Only the first call has a mask. A later chunk of several tokens needs one as well: they may not see each
    other's future."""

    class PromptOnly(Step):
        def mask(self, scores, T):
            return super().mask(scores, T) if self.begins else scores

    return PromptOnly()(*inputs)


@misconception("cache-mask-missing-later")
def step(*inputs):
    """There is a mask only as long as nothing is cached, or only for square scores. A later chunk of several tokens
    needs one too."""

    class Square(Step):
        def mask(self, scores, T):
            return super().mask(scores, T) if T == self.S else scores

    return Square()(*inputs)


@misconception("cache-new-tokens-blind")
def step(*inputs):
    """The new tokens of a later chunk see the old ones only. Each may also look at itself and the new ones before
    it."""

    class Blind(Step):
        def mask(self, scores, T):
            if self.begins:
                return super().mask(scores, T)
            return scores.masked_fill(torch.arange(T) >= T - self.S, -INF)

    return Blind()(*inputs)


@misconception("mask-missing")
def step(*inputs):
    """No token is hidden. One new token alone needs no mask, but the prompt and any longer chunk do."""

    class Open(Step):
        def mask(self, scores, T):
            return scores

    return Open()(*inputs)


@misconception("mask-leaks-next-token")
def step(*inputs):
    """The mask begins one token late: every new token sees the next one. Visible are T - S old keys and, for token s,
    s + 1 new ones."""

    class Late(Step):
        def mask(self, scores, T):
            return self.hide(scores, T - self.S + 1)

    return Late()(*inputs)


@misconception("mask-diagonal-excluded")
def step(*inputs):
    """A token may look at itself: the first token of the text has nobody else, and the NaN comes from there."""

    class Strict(Step):
        def mask(self, scores, T):
            return self.hide(scores, T - self.S - 1)

    return Strict()(*inputs)


# What the cache holds, and how it grows


@misconception("cache-ignored")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """Later chunks start afresh, as if nothing had been said before: join what is cached and what is new."""
    return _right(x_new, weights, n_heads, n_kv_heads)


@misconception("cache-ignored")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The first cache stays as it is, and later chunks see neither it nor each other: join old and new."""
    y, new = _right(x_new, weights, n_heads, n_kv_heads)
    return y, new if cache is None else cache


@misconception("cache-does-not-grow")
def step(*inputs):
    """The new tokens see the last chunk and are right so far, but only they are kept: the cache has to hold all
    tokens."""

    class Last(Step):
        def keep(self, k, v, new):
            return tuple(new)

    return Last()(*inputs)


@misconception("cache-does-not-grow")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The keys and values of the prompt are kept and those of later chunks are not: return the longer cache."""
    y, longer = _right(x_new, weights, n_heads, n_kv_heads, cache)
    return y, longer if cache is None else cache


@misconception("cache-new-before-old")
def step(*inputs):
    """The new keys stand before the old ones, so the mask hides the wrong ones: torch.cat([old, new])."""

    class Before(Step):
        def join(self, cache, kv):
            return [torch.cat([new, old], dim=2) for old, new in zip(cache, kv, strict=True)]

    return Before()(*inputs)


@misconception("cache-new-before-old")
def step(*inputs):
    """The new values stand before the old ones while the keys are in order: every weight meets the value of another
    token."""

    class Before(Step):
        def join(self, cache, kv):
            (old_k, old_v), (k, v) = cache, kv
            return torch.cat([old_k, k], dim=2), torch.cat([v, old_v], dim=2)

    return Before()(*inputs)


@misconception("cache-keys-only")
def step(*inputs):
    """The weights of old tokens need their values as well as their keys: keep both, and join both with the new ones."""

    class Keys(Step):
        def join(self, cache, kv):
            return torch.cat([cache, kv[0]], dim=2), kv[1]

        def keep(self, k, v, new):
            return k

    return Keys()(*inputs)


@misconception("cache-keys-only")
def step(*inputs):
    """Only the keys of old tokens are used, and their values are not joined with the new ones."""

    class Keys(Step):
        def join(self, cache, kv):
            return torch.cat([cache[0], kv[0]], dim=2), kv[1]

    return Keys()(*inputs)


@misconception("cache-keys-only")
def step(*inputs):
    """Only the values are kept. The queries of new tokens need the keys of old ones as well."""

    class Values(Step):
        def join(self, cache, kv):
            return kv[0], torch.cat([cache[1], kv[1]], dim=2)

    return Values()(*inputs)


@misconception("cache-joined-on-wrong-axis")
def step(*inputs):
    """Old and new were joined along the heads. In (B, n_kv, T, d) the tokens are axis 2."""

    class Heads(Step):
        def join(self, cache, kv):
            return [torch.cat([old, new], dim=1) for old, new in zip(cache, kv, strict=True)]

    return Heads()(*inputs)


@misconception("cache-joined-on-wrong-axis")
def step(*inputs):
    """Old and new were joined along the batch. In (B, n_kv, T, d) the tokens are axis 2."""

    class Batch(Step):
        def join(self, cache, kv):
            return [torch.cat([old, new], dim=0) for old, new in zip(cache, kv, strict=True)]

    return Batch()(*inputs)


@misconception("cache-joined-on-wrong-axis")
def step(*inputs):
    """Old and new were joined along the channels. In (B, n_kv, T, d) the tokens are axis 2."""

    class Channels(Step):
        def join(self, cache, kv):
            return [torch.cat([old, new], dim=-1) for old, new in zip(cache, kv, strict=True)]

    return Channels()(*inputs)


@misconception("cache-holds-copies")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The numbers are right, but the copies for all members of a group are kept too: cache first, repeat afterwards."""
    group = n_heads // n_kv_heads
    shared = None if cache is None else [t[:, ::group] for t in cache]
    y, shared = _right(x_new, weights, n_heads, n_kv_heads, shared)
    return y, [t.repeat_interleave(group, dim=1) for t in shared]


@misconception("cache-holds-copies")
def step(*inputs):
    """What was kept are the copies for all members of a group, and they do not fit the new keys: cache first, repeat
    afterwards."""

    class Copies(Step):
        def keep(self, k, v, new):
            return self.share(k), self.share(v)

    return Copies()(*inputs)


@misconception("cache-holds-inputs")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The numbers are right, but the whole text is kept and all its keys are computed again in every step."""
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    y, _ = _right(x, weights, n_heads, n_kv_heads)
    return y[:, -x_new.shape[1] :], x


@misconception("cache-holds-queries")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The numbers are right, but the queries are kept too, and nobody will ever use them again."""
    queries = x_new @ weights[0].T
    if cache is not None:
        queries = torch.cat([cache[2], queries], dim=1)
    y, kept = _right(x_new, weights, n_heads, n_kv_heads, cache[:2] if cache else None)
    return y, (*kept, queries)


@misconception("cache-returns-everything")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The results of the old tokens came back as well. They have been told already: return those of the new ones."""
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    y, _ = _right(x, weights, n_heads, n_kv_heads)
    return y, x


@misconception("state-leaks-between-calls")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The cache lives outside of the function, so a second text mixes with the first. Keep everything in what you
    return."""
    y, _outside[0] = _right(x_new, weights, n_heads, n_kv_heads, None if cache is None else _outside[0])
    return y, _outside[0]


_outside = [None]


@misconception("contract-cache-missing", proves="name")
def step(*inputs):
    """step has to return exactly two things, y first: y, and one cache that holds all that the next step needs."""
    return _right(*inputs)[0]


@misconception("contract-cache-missing", proves="name")
def step(*inputs):
    """Three values came back, y, keys and values. Return two: y, and one cache that holds the other two."""
    y, (k, v) = _right(*inputs)
    return y, k, v


@misconception("contract-cache-first")
def step(*inputs):
    """The cache comes first and y second: return them the other way round, y, cache."""
    y, cache = _right(*inputs)
    return cache, y


# Grouped-query attention itself, wrong from the prompt on


@misconception("kv-heads-tiled")
def step(*inputs):
    """The heads of keys were dealt out in turn (0, 1, 2, 0, 1, 2). Neighbours share: 0, 0, 1, 1, 2, 2."""

    class Tiled(Step):
        def share(self, t):
            return t.repeat(1, self.h // self.n_kv, 1, 1)

    return Tiled()(*inputs)


@misconception("gqa-not-shared-out")
def step(*inputs):
    """There are fewer heads of keys and values than queries, and nothing has repeated them for the members of each
    group."""

    class Bare(Step):
        def share(self, t):
            return t

    return Bare()(*inputs)


@misconception("heads-share-keys-values")
def step(*inputs):
    """All query heads use the first head of keys and values. Each group has one of its own."""

    class First(Step):
        def share(self, t):
            return t[:, :1]

    return First()(*inputs)


@misconception("scale-missing")
def step(*inputs):
    """The scores are not divided by the square root of the head size."""

    class Unscaled(Step):
        def divisor(self):
            return 1

    return Unscaled()(*inputs)


@misconception("scale-d-model")
def step(*inputs):
    """The scores are divided by the root of the whole width. A dot product runs over one head: divide by sqrt(d)."""

    class Wide(Step):
        def divisor(self):
            return math.sqrt(self.C)

    return Wide()(*inputs)


@misconception("split-view-no-transpose")
def step(*inputs):
    """Everything was reshaped straight to (B, heads, S, d), which cuts through tokens: reshape to (B, S, heads, d),
    then transpose."""

    class Straight(Step):
        def split(self, t, heads):
            return t.reshape(self.B, heads, -1, self.d)

    return Straight()(*inputs)


@misconception("merge-without-transpose")
def step(*inputs):
    """The result was reshaped from (B, h, S, d) as it stands, which mixes tokens: transpose(1, 2) first."""

    class Mixed(Step):
        def finish(self, y):
            return y.reshape(self.B, self.S, self.C) @ self.wo.T

    return Mixed()(*inputs)


@misconception("output-projection-missing")
def step(*inputs):
    """The merged heads are returned as they are. The last step is @ wo.T, which lets them mix."""

    class Bare(Step):
        def finish(self, y):
            return y.transpose(1, 2).flatten(2)

    return Bare()(*inputs)


@misconception("squeeze-drops-dims")
def step(*inputs):
    """A batch of one sequence or one new token loses an axis, as squeeze() takes away every axis of size 1."""
    y, cache = _right(*inputs)
    return y.squeeze(), cache


@misconception("squeeze-drops-dims")
def step(*inputs):
    """As soon as there is only one sequence the batch axis is gone, as squeeze(0) or an index [0] does it."""
    y, cache = _right(*inputs)
    return y.squeeze(0), cache
