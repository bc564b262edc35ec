"""What the learner reads: what was called and what came back, which part is wrong, one sentence of help.

Hidden probes never lend their numbers to a message: shapes and whole numbers of the call are told, contents are not,
and of an exception only its type and the learner's own line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.judge.compare import Finding, is_stub, is_unreadable
from autograder.judge.diagnose import Diagnosis
from autograder.judge.key import Key
from autograder.plain import Array
from autograder.records import Observation, Probe, Raised

_ALONE = ". Each file is checked by itself: what you need of your other files has to stand in this one"
_NOBODY_THERE = ". Nobody is at the keyboard of a check: take out what asks there, such as input() or breakpoint()"
#: What is said of errors that say more about a check than about attention.
HELP = {"ModuleNotFoundError": _ALONE, "EOFError": _NOBODY_THERE, "BdbQuit": _NOBODY_THERE}
#: What is said of a right answer that does harm, where no misconception is known to do it in the same way.
HARM = {
    "MUTATED": "Its owner may still need it as it was: work on a copy. *=, +=, out= and names that end in an underscore"
    " write in place.",
    "NONDETERMINISTIC": "Whoever asks again has to hear the same: nothing may be drawn at random or kept from an"
    " earlier call.",
}


def explain(key: Key, probe: Probe, got: Observation, finding: Finding, told: Observation | None = None) -> str:
    """What was called and what came of it, for one probe that went wrong.

    `told` has been explained before: an exception of the same kind in the same line is not quoted again.
    """
    if got.stage == "load" and got.outcome != "returned":
        return _not_loaded(got, finding)
    if got.outcome == "not_defined":
        return _stopped(finding.says)
    if is_stub(got):
        assert got.raised
        return f"{got.raised.message}."
    return _stopped(f"{call(key, probe)} {finding.says or _exception(probe, got, told)}")


def purpose(probe: Probe) -> str:
    """Why a shown probe out of the ordinary is asked, for an answer that is right on all ordinary ones."""
    return f"All ordinary inputs are answered right. Why this one is asked: {probe.why}." if probe.shown else ""


def teach(diagnosis: Diagnosis, called: str) -> list[str]:
    """The sentence of the misconception of what is `called`. Twins have the same numbers, so the first one fits all."""
    if diagnosis.at_once:
        first, second = diagnosis.named
        return [f"Two things at once: {first.says} And: {second.says}"]
    return [wrong.says for wrong in diagnosis.named or diagnosis.told if wrong.entry == called and wrong.says][:1]


def _stopped(sentence: str) -> str:
    return sentence if sentence.endswith("?") else f"{sentence}."


def call(key: Key, probe: Probe) -> str:
    """The call of a probe as a learner reads it: shapes of what is large, values of what is small."""
    described = [_argument(name, value) for name, value in probe.inputs.items()]
    return f"{key.called(probe)}({', '.join(described)})" + ("" if probe.shown else " (a hidden check)")


def _argument(name: str, value: Any) -> str:
    if isinstance(value, (Array, np.ndarray)):
        return f"{name} of shape {tuple(value.shape)}" if value.shape else f"{name} (one number)"
    if isinstance(value, dict):
        return name
    if isinstance(value, (list, tuple)) and len(value) > 8:
        return f"{len(value)} {name}"
    return f"{name}={value!r}"


def _exception(probe: Probe, got: Observation, told: Observation | None) -> str:
    assert got.raised
    if told and told.raised and told is not got and got.raised.frames and _same_error(told.raised, got.raised):
        return f"raised the same error in line {got.raised.frames[-1][0]}"
    text = _short(got.raised.message) if probe.shown else ""
    return f"raised {got.raised.type}{_at(got)}{_shapes(got.raised)}{': ' if text else ''}{text}{_help(got.raised)}"


def _same_error(a: Raised, b: Raised) -> bool:
    return (a.type, a.frames) == (b.type, b.frames)


def _shapes(raised: Raised) -> str:
    """The arrays of the failing line. Shapes are no contents, so hidden probes tell them too."""
    told = [f"{name} of shape {shape}" for name, shape in raised.shapes]
    return f" with {' and '.join([', '.join(told[:-1]), told[-1]] if len(told) > 1 else told)}" if told else ""


def _short(text: str, most: int = 300) -> str:
    """An exception's text on one line and of bearable length, without its full stop."""
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= most else f"{line[:most]}..."


def _at(got: Observation) -> str:
    assert got.raised
    if not got.raised.frames:
        return ""
    line, _, source = got.raised.frames[-1]
    return (f" in line {line}" if line else "") + (f" (`{source.strip()}`)" if source.strip() else "")


def _not_loaded(got: Observation, finding: Finding) -> str:
    if got.raised is None:
        return _stopped(f"While it was being loaded, before anything was called, the file {finding.says}")
    if is_unreadable(got.raised):
        return f"Python cannot read the file: {got.raised.message}{_at(got)}. Nothing of it was run."
    text = _short(got.raised.message)
    told = f"While it was being loaded the file stopped with {got.raised.type}{_at(got)}{': ' if text else ''}{text}"
    return f"{told}{_help(got.raised)}."


def _help(raised: Raised) -> str:
    return HELP.get(raised.type, "")
