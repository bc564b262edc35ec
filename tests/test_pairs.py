"""Two thoughts at once in one module, written in styles that the key does not know: both are named, or none wrongly.

Run with -s to see the figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from socket import socket

import pytest

from autograder import keys
from autograder.course.load import load_course
from autograder.judge.compare import same
from autograder.judge.key import Key
from autograder.judge.score import judge
from autograder.records import Observation, Observations, Submission
from autograder.running import workers
from autograder.sandbox.run import observe_each
from tests.conftest import ROOT

HEAD = """
import torch
from torch import nn
from torch.nn import functional as F

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("uneven heads")
        self.n, self.e = n_heads, d_model // n_heads
        {layers}

    def forward(self, x):
        b, t, c = x.size()
        n, e = self.n, self.e
"""

#: Heads as an axis of an einsum, the softmax by hand.
EINSUM = (
    HEAD
    + """
        fused = self.qkv(x)
        q, k, v = fused[..., :c], fused[..., c:2 * c], fused[..., 2 * c:]
        {projection}
        {count}
        {split}
        att = torch.einsum("bihe,bjhe->bhij", q, k) {scale}
        i, j = torch.arange(t)[:, None], torch.arange(t)
        {mask}
        {softmax}
        {weights}
        y = torch.einsum("bhij,bjhe->bihe", att, v)
        {merge}
        y = y.reshape(b, t, c)
        {output}
        {whole}
        return y
"""
)
EINSUM_RIGHT = {
    "layers": "self.qkv, self.out = (nn.Linear(d_model, m * d_model, bias=False) for m in (3, 1))",
    "projection": "",
    "count": "",
    "split": "q, k, v = (u.view(b, t, n, e) for u in (q, k, v))",
    "scale": "* e ** -0.5",
    "mask": "att = torch.where(j <= i, att, float('-inf'))",
    "softmax": "att = (att - att.amax(-1, True)).exp(); att = att / att.sum(-1, True)",
    "weights": "",
    "merge": "",
    "output": "y = torch.einsum('btc,oc->bto', y, self.out.weight)",
    "whole": "",
}
#: Thought by thought: slug, which piece it spoils, and how.
EINSUM_WRONG = [
    ("contract-bias-present", "layers", "self.qkv, self.out = (nn.Linear(d_model, m * d_model) for m in (3, 1))"),
    ("qkv-order-permuted", "projection", "q, k, v = v, q, k"),
    ("query-key-swapped", "projection", "q, k = k, q"),
    ("query-used-as-key", "projection", "k = q"),
    ("value-uses-key-projection", "projection", "v = k"),
    ("value-not-projected", "projection", "v = x"),
    ("same-projection-for-qkv", "projection", "k = v = q"),
    ("qkv-interleaved-per-head", "projection",
     "q, k, v = (u.reshape(b, t, c) for u in fused.view(b, t, n, 3, e).unbind(3))"),
    ("qkv-interleaved-innermost", "projection", "q, k, v = (fused[..., m::3] for m in range(3))"),
    ("one-head-only", "count", "n, e = 1, c"),
    ("ignores-n-head", "count", "n, e = 8, c // 8"),
    ("split-view-no-transpose", "split", "q, k, v = (u.reshape(b, n, t, e).permute(0, 2, 1, 3) for u in (q, k, v))"),
    ("split-interleaved-channels", "split",
     "q, k, v = (torch.stack([u[..., m::n] for m in range(n)], 2) for u in (q, k, v))"),
    ("scale-missing", "scale", ""),
    ("scale-d-model", "scale", "* c ** -0.5"),
    ("scale-no-sqrt", "scale", "/ e"),
    ("scale-multiplied", "scale", "* e ** 0.5"),
    ("scale-n-heads", "scale", "* n ** -0.5"),
    ("scale-seq-len", "scale", "* t ** -0.5"),
    ("mask-missing", "mask", ""),
    ("mask-leaks-next-token", "mask", "att = torch.where(j <= i + 1, att, float('-inf'))"),
    ("mask-diagonal-excluded", "mask", "att = torch.where(j < i, att, float('-inf'))"),
    ("mask-upper-not-lower", "mask", "att = torch.where(j >= i, att, float('-inf'))"),
    ("mask-inverted", "mask", "att = torch.where(j > i, att, float('-inf'))"),
    ("mask-fill-zero", "mask", "att = torch.where(j <= i, att, 0.0)"),
    ("mask-bool-added", "mask", "att = att + (j <= i).float()"),
    ("softmax-over-queries", "softmax", "att = (att - att.amax(-2, True)).exp(); att = att / att.sum(-2, True)"),
    ("weights-averaged-over-heads", "weights", "att = att.mean(1, keepdim=True).expand_as(att)"),
    ("merge-without-transpose", "merge", "y = y.permute(0, 2, 1, 3)"),
    ("merge-interleaved-channels", "merge", "y = y.permute(0, 1, 3, 2)"),
    ("output-projection-missing", "output", ""),
    ("output-weight-not-transposed", "output", "y = torch.einsum('btc,co->bto', y, self.out.weight)"),
    ("residual-inside", "whole", "y = y + x"),
]  # fmt: skip

#: One head after the other, from rows of the weight.
LOOP = (
    HEAD
    + """
        w = list(self.qkv.weight.split(c))
        {projection}
        outs = []
        for m in range(n):
            rows = {rows}
            q, k, v = x @ w[0][rows].T, x @ w[1][rows].T, x @ w[2][rows].T
            {head}
            s = torch.bmm(q, k.mT) {scale}
            s = s + {mask}
            p = {softmax}
            outs.append(p.bmm(v))
        y = {merge}
        return {output}
"""
)
LOOP_RIGHT = {
    "layers": "self.qkv, self.out = (nn.Linear(d_model, m * d_model, bias=False) for m in (3, 1))",
    "projection": "",
    "rows": "slice(m * e, m * e + e)",
    "head": "",
    "scale": "/ e ** 0.5",
    "mask": "torch.full((t, t), float('-inf'), dtype=s.dtype).triu(1)",
    "softmax": "torch.exp(s - s.logsumexp(-1, True))",
    "merge": "torch.cat(outs, 2)",
    "output": "y @ self.out.weight.T",
}
LOOP_WRONG = [
    ("qkv-order-permuted", "projection", "w = [w[0], w[2], w[1]]"),
    ("query-key-swapped", "projection", "w = [w[1], w[0], w[2]]"),
    ("value-uses-key-projection", "projection", "w[2] = w[1]"),
    ("qkv-interleaved-innermost", "projection", "w = [self.qkv.weight[r::3] for r in range(3)]"),
    ("split-interleaved-channels", "rows", "slice(m, None, n)"),
    ("heads-share-weights", "rows", "slice(0, e)"),
    ("query-used-as-key", "head", "k = q"),
    ("scale-missing", "scale", ""),
    ("scale-d-model", "scale", "/ c ** 0.5"),
    ("scale-no-sqrt", "scale", "/ e"),
    ("scale-multiplied", "scale", "* e ** 0.5"),
    ("mask-missing", "mask", "0"),
    ("mask-leaks-next-token", "mask", "torch.full((t, t), float('-inf'), dtype=s.dtype).triu(2)"),
    ("mask-upper-not-lower", "mask", "torch.full((t, t), float('-inf'), dtype=s.dtype).tril(-1)"),
    ("mask-inverted", "mask", "torch.full((t, t), float('-inf'), dtype=s.dtype).tril()"),
    ("mask-bool-added", "mask", "torch.ones(t, t, dtype=s.dtype).tril()"),
    ("softmax-over-queries", "softmax", "torch.exp(s - s.logsumexp(1, True))"),
    ("merge-without-transpose", "merge", "torch.cat(outs, 1).reshape(b, n, t, e).reshape(b, t, c)"),
    ("merge-interleaved-channels", "merge", "torch.stack(outs, 3).flatten(2)"),
    ("merge-heads-averaged", "merge", "torch.cat([sum(outs) / n] * n, 2)"),
    ("output-projection-missing", "output", "y"),
    ("output-weight-not-transposed", "output", "y @ self.out.weight"),
    ("residual-inside", "output", "y @ self.out.weight.T + x"),
]

#: The ready-made attention does the middle.
READY = (
    HEAD
    + """
        q, k, v = torch.tensor_split(F.linear(x, self.qkv.weight), 3, -1)
        {projection}
        {count}
        q, k, v = {split}
        y = F.scaled_dot_product_attention(q, k, v, {mask}, scale={scale})
        y = {merge}
        return {output}
"""
)
READY_RIGHT = {
    "layers": "self.qkv, self.out = (nn.Linear(d_model, m * d_model, bias=False) for m in (3, 1))",
    "projection": "",
    "count": "",
    "split": "(u.unflatten(2, (n, e)).swapaxes(1, 2) for u in (q, k, v))",
    "mask": "is_causal=True",
    "scale": "None",
    "merge": "y.swapaxes(1, 2).flatten(2)",
    "output": "self.out(y)",
}
READY_WRONG = [
    ("qkv-order-permuted", "projection", "q, k, v = k, v, q"),
    ("same-projection-for-qkv", "projection", "q = k = v = q"),
    ("one-head-only", "count", "n, e = 1, c"),
    ("split-view-no-transpose", "split", "(u.reshape(b, n, t, e) for u in (q, k, v))"),
    ("split-interleaved-channels", "split", "(u.unflatten(2, (e, n)).permute(0, 3, 1, 2) for u in (q, k, v))"),
    ("mask-missing", "mask", "is_causal=False"),
    ("mask-inverted", "mask", "attn_mask=torch.ones(t, t, dtype=torch.bool).triu(1)"),
    ("mask-upper-not-lower", "mask", "attn_mask=torch.ones(t, t, dtype=torch.bool).triu()"),
    ("mask-leaks-next-token", "mask", "attn_mask=torch.ones(t, t, dtype=torch.bool).tril(1)"),
    ("mask-diagonal-excluded", "mask", "attn_mask=torch.ones(t, t, dtype=torch.bool).tril(-1)"),
    ("scale-missing", "scale", "1.0"),
    ("scale-no-sqrt", "scale", "1 / e"),
    ("scale-d-model", "scale", "c ** -0.5"),
    ("merge-without-transpose", "merge", "y.reshape(b, t, c)"),
    ("merge-interleaved-channels", "merge", "y.permute(0, 2, 3, 1).flatten(2)"),
    ("output-projection-missing", "output", "y"),
    ("output-weight-not-transposed", "output", "y @ self.out.weight"),
]
STYLES = {
    "einsum": (EINSUM, EINSUM_RIGHT, EINSUM_WRONG),
    "loop": (LOOP, LOOP_RIGHT, LOOP_WRONG),
    "ready-made": (READY, READY_RIGHT, READY_WRONG),
}
#: Names that no input can tell apart.
TWINS = {"merge-cat-along-time": "merge-without-transpose"}


@pytest.fixture(scope="module")
def module() -> tuple[Key, socket]:
    """The key of the module, pairs included, and a lane to run answers in."""
    course = load_course(ROOT)
    exercise = course.exercise("c2_multi_head_attention")
    with workers([exercise], lanes=1) as zygote:
        (lane,) = zygote.lanes
        key = keys.compile_key(course, exercise, b"pairs", lane)
        assert key
        key = keys.compile_pairs(course, exercise, key, lane)
        assert key
        yield key, lane


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_thoughts_at_once_are_named_as_two(module: tuple[Key, socket]) -> None:
    """Of all pairs that show, at least 90 % get both names, and none gets a wrong one."""
    key, lane = module
    course = load_course(ROOT)
    exercise = course.exercise("c2_multi_head_attention")
    count: Counter[str] = Counter()
    wronged, missed = [], []
    for style, (template, right, wrong) in STYLES.items():
        twos = [(one, other) for one, other in combinations(wrong, 2) if one[1] != other[1] and one[0] != other[0]]
        sources = [template.format(**right | {piece: text}) for _, piece, text in wrong]
        sources += [template.format(**right | {a[1]: a[2], b[1]: b[2]}) for a, b in twos]
        seen = observe_each(lane, [keys.task_for(course, exercise, source, key.probes) for source in sources])
        singles, pairs = seen[: len(wrong)], seen[len(wrong) :]
        for (one, other), answers in zip(twos, pairs, strict=True):
            result = judge(exercise, key, Submission("ada", exercise.id, b"", ""), answers)
            named = {TWINS.get(slug, slug) for slug in result.misconceptions}
            count[f"{style}: run"] += 1
            if not named <= {one[0], other[0]} and not _shows_less(key, named, answers):
                wronged.append((style, one[0], other[0], result.misconceptions))
            if any(_agree(key, answers.probes, each.probes) for each in (*singles, *pairs) if each is not answers):
                continue
            count[f"{style}: distinguishable"] += 1
            count[f"{style}: both named"] += named == {one[0], other[0]}
            if named != {one[0], other[0]}:
                missed.append((style, one[0], other[0], result.misconceptions))
    for line in sorted(count.items()):
        print(*line)
    for line in missed:
        print("not both:", *line)
    distinguishable = sum(n for name, n in count.items() if name.endswith("distinguishable"))
    both = sum(n for name, n in count.items() if name.endswith("both named"))
    print(f"{both} of {distinguishable} distinguishable pairs named as two, {len(wronged)} named wrongly")
    assert wronged == []
    assert distinguishable >= 150
    assert both >= 0.9 * distinguishable


def _shows_less(key: Key, named: set[str], answers: Observations) -> bool:
    """Whether one single misconception gives these very answers: then it explains them, whoever thought what."""
    ordinary = [probe for probe in key.probes if probe.ordinary]
    return len(named) == 1 and any(
        {variant.misconception.slug} == named
        and all(same(variant.answers[p.name], answers.probes[p.name], p) for p in ordinary)
        for variant in key.variants
    )


def _agree(key: Key, one: Mapping[str, Observation], other: Mapping[str, Observation]) -> bool:
    return all(same(one[probe.name], other[probe.name], probe) for probe in key.probes if probe.ordinary)
