"""One observation against the expected one: a verdict word, and which part is wrong, without a hidden number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.course.stubs import NOT_WRITTEN
from autograder.judge.arrays import alike, close, rearranged, rounded, where
from autograder.plain import Array, Plain, as_numpy, clean
from autograder.records import NOT_ASKED, Observation, Outcome, Probe, Raised

#: Verdict words for observations in which nothing came back.
NOTHING_CAME: dict[Outcome, str] = {
    "not_defined": "NOT_DEFINED", "not_plain": "WRONG_TYPE", "timed_out": "TIMEOUT", "cpu_limit": "CPU_LIMIT",
    "out_of_memory": "OUT_OF_MEMORY", "crashed": "CRASHED", "exited": "EXITED_EARLY", "too_large": "TOO_LARGE",
    "protocol": "PROTOCOL", "not_run": "NOT_GRADED",
}  # fmt: skip
SYNTAX = ("SyntaxError", "IndentationError", "TabError")
#: Characters of what a measure says.
LONGEST = 300
#: Half precision keeps 8 (bfloat16) or 11 (float16) bits: honest answers differ by a few of the last ones.
COARSE = {"bfloat16": 3e-2, "float16": 5e-3}


def is_stub(got: Observation) -> bool:
    """Whether the answer is the stub's own "not written yet"."""
    return bool(got.raised and got.raised.type == "NotImplementedError" and NOT_WRITTEN in got.raised.message)


def is_unreadable(raised: Raised) -> bool:
    """Whether Python cannot read the file itself; what it raises of a text that the file runs comes from a function."""
    return raised.type in SYNTAX and not (raised.frames and raised.frames[-1][1])


@dataclass(frozen=True)
class Finding:
    """What the comparison of one probe came to. `says` continues the sentence "<call> ..."."""

    verdict: str
    says: str = ""

    @property
    def right(self) -> bool:
        """Whether there is nothing to find fault with."""
        return self.verdict == "OK"


RIGHT = Finding("OK")


def compare(expected: Observation, got: Observation, probe: Probe, axes: Mapping[str, tuple[str, ...]]) -> Finding:
    """Judge one claim. Never raises, whatever the claim holds."""
    if got.outcome == "raised":
        return _raised(expected, got)
    if got.outcome != "returned":
        return _nothing(got)
    if expected.outcome == "raised":
        return Finding("WRONG_VALUE", "came back with an answer, but this has to be refused with an error")
    finding = _parts(expected, got, probe, axes)
    if finding.right and got.changed:
        names = " and ".join(got.changed)
        return Finding("MUTATED", f"gave the right answer but changed its input {names}")
    return finding


def same(a: Observation, b: Observation, probe: Probe) -> bool:
    """Whether `b` is the same answer as `a`, within tolerance.

    Exceptions are the same in type and text, and where the same shapes met: torch says the same of many clashes.
    """
    if a.outcome != b.outcome or a.stage != b.stage:
        return False
    if a.outcome == "raised" and a.raised and b.raised:
        met, there = (Counter(shape for _, shape in raised.shapes) for raised in (a.raised, b.raised))
        alike = met <= there or (bool(there) and there <= met)  # a line may name more arrays than those that clash
        return alike and (a.raised.type, a.raised.message) == (b.raised.type, b.raised.message)
    if a.outcome != "returned":
        return a.detail == b.detail
    return _parts(a, b, probe, None).right


def _raised(expected: Observation, got: Observation) -> Finding:
    assert got.raised
    kind = got.raised.type
    if kind == "MemoryError" or "can't allocate memory" in got.raised.message:
        return Finding("OUT_OF_MEMORY", "asked for more memory than a submission may use")
    if got.stage == "load":
        verdict = "SYNTAX_ERROR" if is_unreadable(got.raised) else "IMPORT_ERROR"
        return Finding(verdict, "")
    if expected.outcome == "raised" and not is_stub(got):
        return RIGHT
    return Finding("EXCEPTION", "")


def _nothing(got: Observation) -> Finding:
    says = {
        "not_defined": got.detail,
        "not_plain": f"came back with {got.detail}; a plain tensor, array, number, list or dict is wanted",
        "timed_out": f"did not finish: {got.detail}",
        "cpu_limit": f"did not finish: it used {got.detail}; is there a loop that never ends?",
        "out_of_memory": "asked for more memory than a submission may use",
        "crashed": f"brought the whole Python process down ({got.detail})",
        "exited": f"ended the Python process itself ({got.detail}) instead of returning an answer",
        "too_large": f"came back with {got.detail}",
        "protocol": f"sent an answer that cannot be read: {got.detail}",
        "not_run": "could not be run on this machine, which is not the submission's fault; grade it again",
    }
    if got.detail == NOT_ASKED:
        return Finding(NOTHING_CAME[got.outcome], f"was not asked: {NOT_ASKED}")
    return Finding(NOTHING_CAME[got.outcome], says[got.outcome])


def _parts(
    expected: Observation, got: Observation, probe: Probe, axes: Mapping[str, tuple[str, ...]] | None
) -> Finding:
    """Compare part by part. Without axes nobody wants to know what is wrong, only whether something is."""
    if probe.measure is None:
        wanted, found = expected.parts, got.parts
    else:
        for name, value in expected.parts.items():
            context = _Context(probe, got.library, name, check_dtype=False, check_values=False)
            shape = _value(value, got.parts.get(name), context)
            if not shape.right:
                return shape
        try:
            wanted, found = measured(expected.parts, probe), measured(got.parts, probe)
        except Exception as problem:  # a claim may hold anything; a measure need not foresee it
            return Finding("WRONG_VALUE", f"came back with what cannot be measured ({type(problem).__name__})")
    ours = probe.measure is None  # what a measure returns is made here: its arrays have no library to be right
    for name, value in wanted.items():
        twin = name.removesuffix("_again")
        context = _Context(probe, got.library, name, None if axes is None else axes.get(twin, ()), ours, ours)
        finding = _value(value, found.get(name), context)
        if not finding.right and twin != name and finding.verdict == "WRONG_VALUE":
            return Finding("NONDETERMINISTIC", "gives two different answers to the same question, in eval mode too")
        if not finding.right:
            return finding
    return RIGHT


def measured(parts: Mapping[str, Plain], probe: Probe) -> Mapping[str, Any]:
    """What of an answer is compared. Raises whatever the probe's measure raises."""
    if probe.measure is None:
        return parts
    inputs = {name: as_numpy(value) for name, value in probe.inputs.items()}
    return probe.measure(inputs, {name: as_numpy(value) for name, value in parts.items()})


@dataclass(frozen=True)
class _Context:
    probe: Probe
    library: str
    name: str
    axes: tuple[str, ...] | None = ()
    """The names of the axes; None where nobody will read what is wrong."""
    check_library: bool = True
    check_dtype: bool = True
    check_values: bool = True

    @property
    def what(self) -> str:
        """How the part is called in a sentence: nothing for the plain result."""
        return "" if self.name == "result" else f" for {self.name}"


def _value(expected: Any, got: Any, context: _Context) -> Finding:
    if isinstance(expected, (Array, np.ndarray)):
        return _array(expected, got, context)
    if isinstance(expected, (list, tuple)):
        if not isinstance(got, (list, tuple)):
            return Finding("WRONG_TYPE", f"came back with {_kind(got, context)}, where a list or tuple is wanted")
        if len(got) != len(expected):
            says = f"came back with {len(got)} values{context.what}, where {len(expected)} belong"
            return Finding("WRONG_SHAPE", says)
        return _first_wrong(
            zip(expected, got, strict=True), context, entries=bool(expected) and isinstance(expected[0], Array)
        )
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return Finding("WRONG_TYPE", f"came back with {_kind(got, context)}, where a dict is wanted")
        if got.keys() != expected.keys():
            return Finding("WRONG_VALUE", f"came back with a dict{context.what} whose keys are not the right ones")
        if context.name == "gradient":
            return _gradients(expected, got, context)
        return _first_wrong(((value, got[key]) for key, value in expected.items()), context)
    return _scalar(expected, got, context)


def _first_wrong(pairs: Any, context: _Context, *, entries: bool = False) -> Finding:
    for index, (expected, got) in enumerate(pairs):
        inner = replace(context, name=f"entry {index}") if entries else context
        if not (finding := _value(expected, got, inner)).right:
            return finding
    return RIGHT


def _gradients(expected: Mapping[str, Any], got: Mapping[str, Any], context: _Context) -> Finding:
    """What arrived at the inputs when a gradient was sent back through a right answer."""
    lost = [name for name, value in expected.items() if value is not None and got[name] is None]
    if lost:
        return Finding("WRONG_VALUE", f"gave the right answer, but no gradient gets back to {' and '.join(lost)}")
    for name, value in expected.items():
        if not _value(value, got[name], replace(context, name=name)).right:
            return Finding("WRONG_VALUE", f"gave the right answer, but the gradient that gets back to {name} is wrong")
    return RIGHT


def _scalar(expected: Any, got: Any, context: _Context) -> Finding:
    whole = context.axes is not None and type(got) is int  # will do as an answer, but is not what a wrong answer gave
    if isinstance(expected, float) and (type(got) is float or whole):
        close = got == expected or abs(got - expected) <= context.probe.atol + context.probe.rtol * abs(expected)
        alike = close or (expected != expected and got != got)
        return RIGHT if alike or not context.check_values else Finding("WRONG_VALUE", f"is off{context.what}")
    if type(expected) is not type(got):
        return Finding("WRONG_TYPE", f"came back with {_kind(got, context)}, where {_type(expected)} is wanted")
    if expected == got or not context.check_values:
        return RIGHT
    if context.probe.measure and isinstance(got, str):  # a measure may pass on what a submission said
        return Finding("WRONG_VALUE", " ".join(clean(got, LONGEST).split()) or "says nothing")
    if context.probe.measure:
        yes_or_no = isinstance(expected, bool)  # then the name may be a whole statement
        return Finding("WRONG_VALUE", f"gets this wrong: {context.name}" if yes_or_no else f"gets {context.name} wrong")
    return Finding("WRONG_VALUE", f"came back with the wrong {_noun(expected)}{context.what}")


def _array(expected: Array | np.ndarray[Any, Any], got: Any, context: _Context) -> Finding:
    if isinstance(expected, np.ndarray):
        expected = Array.of(expected)
        got = Array.of(got) if isinstance(got, np.ndarray) else got
    if not isinstance(got, Array):
        says = (
            f"came back with {_kind(got, context)}, where {_wanted(context)} is wanted{_among(expected, got, context)}"
        )
        return Finding("WRONG_TYPE", says)
    if context.check_library and got.library != context.library:
        why = "; a file that imports torch answers in torch" if context.library == "torch" else ""
        return Finding("WRONG_TYPE", f"came back with {_kind(got, context)}, where {_wanted(context)} is wanted{why}")
    if (got.shape, got.dtype, got.data) == (expected.shape, expected.dtype, expected.data):
        return RIGHT  # to the last bit, as most answers are
    if got.shape != expected.shape and context.axes is None:
        return Finding("WRONG_SHAPE")
    a, b = expected.numpy(), got.numpy()
    if got.shape != expected.shape:
        says = f"came back with shape {got.shape}{context.what}, not {expected.shape}"
        return Finding("WRONG_SHAPE", says + rearranged(a, b, context.axes or ()))
    free = context.probe.any_precision and a.dtype.kind == b.dtype.kind == "f" and got.dtype not in COARSE
    if context.check_dtype and got.dtype != expected.dtype and not free:
        with np.errstate(invalid="ignore"):
            kept = np.array_equal(a, b.astype(a.dtype)) and (a.dtype != bool or np.isin(b, (0, 1)).all())
        pattern = "; the values themselves are right" if kept else ""
        return Finding("WRONG_DTYPE", f"came back as {got.dtype}{context.what}, not {expected.dtype}{pattern}")
    if not context.check_values:
        return RIGHT
    coarse = max(COARSE.get(each.dtype, 0.0) for each in (expected, got))
    wrong = ~close(a, b, max(context.probe.rtol, coarse), max(context.probe.atol, coarse))
    if not wrong.any():
        return RIGHT
    if context.axes is None:
        return Finding("WRONG_VALUE")
    places = where(wrong, context.axes)
    nan = bool(np.issubdtype(b.dtype, np.floating) and np.isnan(b[wrong]).any() and not np.isnan(a).any())
    if not context.check_library:  # made by a measure
        says = f"gets {context.name} {'' if places.startswith('wrong') else 'wrong: '}{places}"
        return Finding("NAN", f"{says}; there is NaN in it") if nan else Finding("WRONG_VALUE", says + rounded(a, b))
    spot = f"its entries are {places}"
    if nan:
        return Finding("NAN", f"came back with NaN{context.what}; {spot}")
    return Finding("WRONG_VALUE", f"came back with the right shape{context.what}; {spot}{rounded(a, b)}")


def _among(expected: Array, got: Any, context: _Context) -> str:
    """Whether a list holds the right answer: as one of its items, or cut into pieces."""
    items = got[:8] if isinstance(got, (list, tuple)) and context.axes is not None else []
    for index, item in enumerate(items):
        if isinstance(item, Array) and _array(expected, item, context).right:
            right = "is the right answer" if context.check_values else "has the right shape"
            return f"; its item {index} {right}: return that one alone"
    pieces = [item.numpy() for item in items if isinstance(item, Array) and item.dtype == expected.dtype]
    if len(pieces) != len(got if items else ()) or len({piece.shape for piece in pieces}) != 1:
        return ""
    for axis in range(pieces[0].ndim + 1):
        whole = np.stack(pieces, axis)
        if whole.shape == expected.shape and alike(expected.numpy(), whole):
            name = context.axes[axis] if context.axes and axis < len(context.axes) else f"axis {axis}"
            return f"; its items are the right ones, one for each {name}, and only have to be stacked"
    return ""


def _wanted(context: _Context) -> str:
    return "a torch tensor" if context.library == "torch" else "a NumPy array"


def _kind(value: Any, context: _Context) -> str:
    if value is None:
        return "None (is a return missing?)" if context.name == "result" else f"nothing{context.what}"
    return _type(value) + context.what


def _type(value: Any) -> str:
    if isinstance(value, Array):
        return "a numpy.ndarray" if value.library == "numpy" else "a torch tensor"
    if isinstance(value, np.ndarray):
        return "an array"
    names = {"NoneType": "None", "int": "an int", "list": "a list or tuple"}
    return names.get(type(value).__name__, f"a {type(value).__name__}")


def _noun(value: Any) -> str:
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else "value"
