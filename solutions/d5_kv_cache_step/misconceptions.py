"""Wrong answers to step that are worth naming. The docstring of each is the sentence its author hears.

What goes wrong in grouped-query attention itself is written with D4 and applies here by itself. `Step` puts its steps
and the cache together; a wrong one replaces a part of it, or one of the steps.
"""

import torch
from b3_merge_heads import merge_heads
from c1_causal_attention_weights import INF, compared, scaled, softmax
from d4_grouped_query_attention import kept, output, projected, queries, shared_keys, shared_values

from autograder.course import assembled, misconception


class Step:
    def __call__(self, x_new, weights, n_heads, n_kv_heads, cache=None):
        wq, wk, wv, wo = weights
        self.B, self.S, self.C = x_new.shape
        self.h, self.n_kv = n_heads, n_kv_heads
        q, k, v = projected(x_new, wq, wk, wv)
        new = [kept(t, n_kv_heads) for t in (k, v)]
        k, v = new if cache is None else self.join(cache, new)
        remembered = self.keep(k, v, new)
        y = collected_from_all(queries(q, n_heads), *self.share(k, v), cache is None)
        return self.finish(y, wo), remembered

    def join(self, cache, kv):
        return [torch.cat([old, new], dim=2) for old, new in zip(cache, kv, strict=True)]

    def keep(self, k, v, new):
        return k, v

    def share(self, k, v):
        return shared_keys(k, self.h), shared_values(v, self.h)

    def finish(self, y, wo):
        return output(merge_heads(y), wo)


@assembled(
    without=(  # an input of a step is no input of step, and its result is not what step returns
        "modifies-input",
        "contract-returns-list",
        "contract-heads-in-batch",
        "contract-returns-4d",
        "contract-missing-head-axis",
    )
)
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    return Step()(x_new, weights, n_heads, n_kv_heads, cache)


right_step = step


def collected_from_all(q, k, v, begins):  # (B, h, S, d)
    scores = visible(scaled(compared(q, k), q), begins)
    weights = softmax(scores)
    return weights @ v


def visible(scores, begins):  # (B, h, S, T)
    return up_to(scores, scores.size(-1) - scores.size(-2))


def up_to(scores, diagonal):
    return scores.masked_fill(torch.ones_like(scores).tril(diagonal) == 0, -INF)


# What later chunks may look at


@misconception("cache-mask-without-offset")
def visible(scores, begins):
    """Your mask starts at the first key in every chunk. New token s is token T - S + s of the text: shift it by
    T - S."""
    return up_to(scores, 0)


@misconception("cache-mask-without-offset")
def visible(scores, begins):
    """Where there are several new tokens your mask starts at the first key. New token s is token T - S + s of it all:
    shift it by T - S."""
    return up_to(scores, 0) if scores.size(-2) > 1 else scores


@misconception("cache-mask-square")
def visible(scores, begins):
    """The mask is (S, S), as if only the new tokens could be looked at. The scores are (S, T): a row for each new
    token, a column for every key."""
    S = scores.size(-2)
    return scores.masked_fill(torch.ones(S, S).triu(1) == 1, -INF)


@misconception("cache-mask-square")
def visible(scores, begins):
    """The mask is (T, T), as if all tokens asked. The scores are (S, T): only its last S rows are needed."""
    return over_all(scores)


@misconception("cache-mask-square")
def step(*inputs):
    """The mask is (T, T), as if all tokens asked. The scores are (S, T): only its last S rows are needed."""

    class Reshaped(Step):
        def __call__(self, x_new, weights, n_heads, n_kv_heads, cache=None):
            wq, wk, wv, wo = weights
            B, S, C = x_new.shape
            q, k, v = projected(x_new, wq, wk, wv)
            new = [kept(t, n_kv_heads) for t in (k, v)]
            k, v = cache = new if cache is None else self.join(cache, new)
            q, k, v = queries(q, n_heads), shared_keys(k, n_heads), shared_values(v, n_heads)
            weights = softmax(over_all(scaled(compared(q, k), q)))
            return output((weights @ v).transpose(1, 2).reshape(B, S, C), wo), cache

    return Reshaped()(*inputs)


def over_all(scores):
    T = scores.size(-1)
    return scores.masked_fill(torch.ones(T, T).triu(1) == 1, -INF)


@misconception("cache-mask-missing-later")
def visible(scores, begins):
    """Only the first call has a mask. A later chunk of several tokens needs one as well: they may not see each
    other's future."""
    return up_to(scores, 0) if begins else scores


@misconception("cache-mask-missing-later")
def visible(scores, begins):
    """There is a mask only as long as nothing is cached, or only for square scores. A later chunk of several tokens
    needs one too."""
    return up_to(scores, 0) if scores.size(-1) == scores.size(-2) else scores


@misconception("cache-new-tokens-blind")
def visible(scores, begins):
    """The new tokens of a later chunk see the old ones only. Each may also look at itself and the new ones before
    it."""
    S, T = scores.shape[-2:]
    return up_to(scores, 0) if begins else scores.masked_fill(torch.arange(T) >= T - S, -INF)


@misconception("mask-missing")
def visible(scores, begins):
    """No token is hidden. One new token alone needs no mask, but the prompt and any longer chunk do."""
    return scores


@misconception("mask-leaks-next-token")
def visible(scores, begins):
    """The mask begins one token late: every new token sees the next one. Visible are T - S old keys and, for token s,
    s + 1 new ones."""
    return up_to(scores, scores.size(-1) - scores.size(-2) + 1)


@misconception("mask-diagonal-excluded")
def visible(scores, begins):
    """A token may look at itself: the first token of the text has nobody else, and the NaN comes from there."""
    return up_to(scores, scores.size(-1) - scores.size(-2) - 1)


@misconception("scale-seq-len")
def scaled(scores, q):
    """You divide by sqrt(T), T being all tokens so far. It is the size of a head that counts, the last axis of q."""
    return scores / scores.size(-1) ** 0.5


# What the cache holds, and how it grows


@misconception("cache-ignored")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """Later chunks start afresh, as if nothing had been said before: join what is cached and what is new."""
    return right_step(x_new, weights, n_heads, n_kv_heads)


@misconception("cache-ignored")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The first cache stays as it is, and later chunks see neither it nor each other: join old and new."""
    y, new = right_step(x_new, weights, n_heads, n_kv_heads)
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
    y, longer = right_step(x_new, weights, n_heads, n_kv_heads, cache)
    return y, longer if cache is None else cache


@misconception("cache-does-not-grow")
def step(*inputs):
    """Only the last token is kept from one call to the next: the cache has to hold all tokens."""

    class Newest(Step):
        def keep(self, k, v, new):
            return k[:, :, -1:], v[:, :, -1:]

    return Newest()(*inputs)


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


@misconception("cache-new-before-old")
def step(*inputs):
    """The new keys stand before the old ones while the values are in order: every weight meets the value of another
    token."""

    class Before(Step):
        def join(self, cache, kv):
            (old_k, old_v), (k, v) = cache, kv
            return torch.cat([k, old_k], dim=2), torch.cat([old_v, v], dim=2)

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

        def share(self, k, v):
            return [t.repeat_interleave(self.h // self.n_kv, dim=1) for t in (k, v)]

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
    y, shared = right_step(x_new, weights, n_heads, n_kv_heads, shared)
    return y, [t.repeat_interleave(group, dim=1) for t in shared]


@misconception("cache-holds-copies")
def step(*inputs):
    """What was kept are the copies for all members of a group, and they do not fit the new keys: cache first, repeat
    afterwards."""

    class Copies(Step):
        def keep(self, k, v, new):
            return self.share(k, v)

    return Copies()(*inputs)


@misconception("cache-holds-inputs")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The numbers are right, but the whole text is kept and all its keys are computed again in every step."""
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    y, _ = right_step(x, weights, n_heads, n_kv_heads)
    return y[:, -x_new.shape[1] :], x


@misconception("cache-holds-queries", proves="family")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The numbers are right, but beside keys and values something as wide as x is kept for every token: queries,
    inputs, or copies for all heads. Nobody needs it again."""
    queries = x_new @ weights[0].T
    if cache is not None:
        queries = torch.cat([cache[2], queries], dim=1)
    y, kept = right_step(x_new, weights, n_heads, n_kv_heads, cache[:2] if cache else None)
    return y, (*kept, queries)


@misconception("cache-returns-everything")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The results of the old tokens came back as well. They have been told already: return those of the new ones."""
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    y, _ = right_step(x, weights, n_heads, n_kv_heads)
    return y, x


@misconception("state-leaks-between-calls")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The cache lives outside of the function, so a second text mixes with the first. Keep everything in what you
    return."""
    y, _outside[0] = right_step(x_new, weights, n_heads, n_kv_heads, None if cache is None else _outside[0])
    return y, _outside[0]


@misconception("state-leaks-between-calls")
def step(x_new, weights, n_heads, n_kv_heads, cache=None):
    """The keys and values lie outside of the function, and what is returned holds nothing: two texts would mix. Keep
    everything in what you return."""
    y, _outside[0] = right_step(x_new, weights, n_heads, n_kv_heads, None if cache is None else _outside[0])
    return y, True


_outside = [None]


@misconception("contract-cache-missing", proves="name")
def step(*inputs):
    """step has to return exactly two things, y first: y, and one cache that holds all that the next step needs."""
    return right_step(*inputs)[0]


@misconception("contract-cache-missing")
def step(*inputs):
    """y comes back with None for a cache, so nothing is remembered: return the keys and values of all tokens so far."""
    return right_step(*inputs)[0], None


@misconception("contract-cache-missing", proves="name")
def step(*inputs):
    """Three values came back, y, keys and values. Return two: y, and one cache that holds the other two."""
    y, (k, v) = right_step(*inputs)
    return y, k, v


@misconception("contract-cache-first", proves="name")
def step(*inputs):
    """The cache comes first and y second: return them the other way round, y, cache."""
    y, cache = right_step(*inputs)
    return cache, y


# Right numbers, in another form


@misconception("squeeze-drops-dims")
def step(*inputs):
    """A batch of one sequence or one new token loses an axis, as squeeze() takes away every axis of size 1."""
    y, cache = right_step(*inputs)
    return y.squeeze(), cache


@misconception("squeeze-drops-dims")
def step(*inputs):
    """As soon as there is only one sequence the batch axis is gone, as squeeze(0) or an index [0] does it."""
    y, cache = right_step(*inputs)
    return y.squeeze(0), cache


@misconception("modifies-input")
def step(x_new, *others):
    """The results are right, but x_new was overwritten with them, and its owner may still need it."""
    y, cache = right_step(x_new, *others)
    return x_new.copy_(y), cache
