"""The frozen data that crosses rooms.

Everything a room hands to the next one is defined here, as plain frozen dataclasses without behaviour beyond their own
invariants. Nothing here imports NumPy or torch at load time, so the light commands stay light. What workers need too
lies in `plain`, and is named here as well: the files of a course import from this module alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from autograder.errors import HeadcountError as HeadcountError
from autograder.plain import DTYPES as DTYPES
from autograder.plain import Array as Array
from autograder.plain import Library as Library
from autograder.plain import Plain as Plain
from autograder.plain import as_numpy as as_numpy
from autograder.plain import as_plain as as_plain


@dataclass(frozen=True)
class Submission:
    """One learner's file for one exercise: bytes only, nothing of it has been executed."""

    learner: str
    exercise: str
    source: bytes
    origin: str
    """Where the bytes were found, for people: ``smith/k1_scale_recipe.py`` or ``smith.zip: k1_scale_recipe.py``."""
    received: str | None = None
    """When it was handed in, ISO 8601 with zone, or None where nothing tells."""

    @cached_property
    def sha256(self) -> str:
        """Of the source bytes, in hex."""
        return hashlib.sha256(self.source).hexdigest()


@dataclass(frozen=True)
class Upload:
    """Everything one learner handed in. ``refused`` holds the reason when the upload was refused as a whole."""

    learner: str
    submissions: tuple[Submission, ...] = ()
    refused: str | None = None
    notes: tuple[str, ...] = ()
    """Sentences for a person, such as an ignored file with a nearly right name."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Probe:
    """One set of inputs, and why it is there. Written in ``probes.py`` of an exercise; holds no answer.

    ``inputs`` maps parameter names to NumPy arrays, `Array`, numbers, strings or lists of them, in the order of the
    call. Arrays reach the learner as torch tensors where the exercise uses torch.
    """

    name: str
    check: str
    """The check of course.yaml that this probe counts for."""
    why: str
    inputs: Mapping[str, Any]
    call: str = ""
    """Which of the exercise's names is called; empty means the first. A driver may give it another meaning."""
    shown: bool = True
    """Set by the loader: from ``shown()`` (runs on the learner's machine) or from ``hidden()``."""
    ordinary: bool = True
    """Whether a misconception must agree here before it is named. Stress, gradient and refusal probes say False."""
    gradient: bool = False
    """Also send a fixed gradient back from the result and observe what arrives at the inputs."""
    builds_on: str = ""
    """Which other of the exercise's names an answer may well call here: where that one is wrong, what comes of it is no
    thought of its own and goes without a name."""
    scattered: tuple[str, ...] = ()
    """Inputs handed over as a slice of a wider tensor, so their rows do not lie side by side in memory."""
    measure: Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]] | None = None
    """``measure(inputs, parts)`` turns what came back into what is compared, for exercises with more than one right
    answer. Pure NumPy; runs in the judge on the learner's and on the reference's parts alike. A text it returns is told
    to the learner where it is not the reference's: it continues the sentence "<call> ..."."""
    callbacks: Mapping[str, Callable[..., Any]] | Callable[[], Mapping[str, Callable[..., Any]]] = field(
        default_factory=dict
    )
    """What a driver may ask the grader for while this probe runs, by name: pure NumPy functions that never enter the
    worker. Whatever they raise reaches the learner's code as a RuntimeError. Calls are counted and timed; how much one
    call may ask for is theirs to limit. Where they remember what they were asked, a function that makes them anew for
    every submission; what it calls ``noted`` is not the driver's to ask: the parts it returns take the place of those
    of the same name in the answer, so that nobody can say afterwards that they said something else."""
    alone: bool = False
    """Asked in a worker of its own, where no memory of another probe can help."""
    rtol: float = 1e-5
    atol: float = 1e-5
    any_precision: bool = False
    """Whether floats may come back in another precision than those of the model answer."""
    safety: str = ""
    """Why this probe stays although others catch everything it catches; empty for one that earns its place."""


@dataclass(frozen=True, eq=False)
class Case:
    """One answered probe as a `Pattern` sees it, in NumPy: inputs, the parts that were wanted, and those that came."""

    inputs: Mapping[str, Any]
    wanted: Mapping[str, Any]
    got: Mapping[str, Any]
    right: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Pattern:
    """What wrong numbers prove although they are no listed misconception's. Written in ``patterns.py`` of an exercise.

    Patterns are looked at in order, and only where nothing could be named; the first that shows itself is told.
    """

    shows: Callable[[Sequence[Case]], bool]
    """Whether it shows in the ordinary probes, right and wrong ones. Pure NumPy; an exception means no."""
    families: tuple[str, ...] = ()
    """Every family of course.yaml that can look like this. A single one is claimed, several are not."""
    says: str
    """What the pattern proves, and where that leaves the fault: one or two sentences."""


@dataclass(frozen=True, eq=False)
class Inside:
    """In a list of patterns: here come those of another exercise, whose answer can be read out of this one's."""

    exercise: str
    read: Callable[[Case], Case | None]
    """The case as the other exercise would have seen it; None where it cannot be read out."""
    says: str = ""
    """Put before what the other exercise's pattern says."""
    families: tuple[str, ...] | None = None
    """The families that may still be claimed, where other steps can bring about the rest; None for all of them."""


#: Detail of an observation that shares an earlier one's fate without having been asked.
NOT_ASKED = "an earlier call used up the time"

Outcome: TypeAlias = Literal[
    "returned",  # value holds the parts that came back
    "raised",  # an exception, in loading or in the call
    "not_defined",  # the name the exercise asks for is missing
    "not_plain",  # something came back that is not plain data
    "timed_out",
    "cpu_limit",
    "out_of_memory",
    "crashed",  # died of a signal
    "exited",  # ended the process itself
    "too_large",
    "protocol",  # the answer channel was abused
    "not_run",  # ours to answer for: the machine, not the submission
]


@dataclass(frozen=True)
class Raised:
    """What an exception said: its type, text, and the learner's own frames as (line number, function, source line)."""

    type: str
    message: str
    frames: tuple[tuple[int, str, str], ...] = ()
    shapes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """The arrays named on the last of these lines, with their shapes at that moment."""


@dataclass(frozen=True)
class Observation:
    """What a submission answered to one probe. Only a claim: the judge compares it."""

    probe: str
    outcome: Outcome
    stage: Literal["load", "call"] = "call"
    parts: Mapping[str, Plain] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    """Names of inputs that were different after the call."""
    raised: Raised | None = None
    detail: str = ""
    """One phrase for outcomes that need it: the signal, the limit, the type that came back."""
    library: Library = "numpy"
    """Which kind of arrays the submission was given."""

    def plain(self) -> dict[str, Plain]:
        """As plain data, for files and the wire; `from_plain` reads it back."""
        raised: Plain = None
        if self.raised:
            shapes: list[Plain] = [[name, list(shape)] for name, shape in self.raised.shapes]
            raised = [self.raised.type, self.raised.message, [list(frame) for frame in self.raised.frames], shapes]
        return {
            "probe": self.probe, "outcome": self.outcome, "stage": self.stage, "parts": dict(self.parts),
            "changed": list(self.changed), "raised": raised, "detail": self.detail, "library": self.library,
        }  # fmt: skip

    @classmethod
    def from_plain(cls, data: Any) -> Observation:
        """The observation that `plain` wrote. Raises KeyError, TypeError or ValueError for anything else."""
        raised = data["raised"]
        if raised is not None:
            kind, message, frames, *rest = raised  # what was written down earlier has no shapes
            shapes = tuple((name, tuple(shape)) for name, shape in rest[0]) if rest else ()
            raised = Raised(kind, message, tuple((line, name, text) for line, name, text in frames), shapes)
        return cls(
            data["probe"], data["outcome"], data["stage"], data["parts"],
            tuple(data["changed"]), raised, data["detail"], data["library"],
        )  # fmt: skip


@dataclass(frozen=True)
class Observations:
    """All that one submission answered for one exercise, with what it printed (capped)."""

    probes: Mapping[str, Observation]
    printed: str = ""
    cpu_seconds: float = 0.0
    ready_made: tuple[tuple[str, int], ...] = ()
    """Names from the course's list of ready-made answers that the source mentions, with their lines."""


#: How much of a misconception its answers prove, where its author says so.
Proof: TypeAlias = Literal["", "name", "family", "nothing"]


@dataclass(frozen=True)
class Misconception:
    """A wrong answer worth naming: runnable source, a slug, and the sentence that teaches."""

    slug: str
    family: str
    says: str
    entry: str
    """The name of the exercise that this wrong answer spoils."""
    before: str
    """A whole submission: the model answer, and what this wrong answer needs."""
    wrong: str
    """The definition that takes the place of the right one when it is run after `before`."""
    step: str
    """What it defines: the entry itself, or a step that the entry calls."""
    home: str
    """The exercise it is written for: this one, or one that this one contains."""
    same_as: tuple[str, ...] = ()
    """Slugs whose answers are numerically the same on every probe, so that neither can be named alone."""
    alone: bool = False
    """Whether it is too rare to be looked for together with another one."""
    proves: Proof = ""
    """What its author vouches for: that its answers prove the name, the family alone, or neither, because thoughts that
    nobody listed give the same. Empty where what came back decides."""
    line: int = 0

    @property
    def source(self) -> str:
        """A whole submission with this wrong answer in it; empty of code where it comes from a compiled key."""
        return f"{self.before}\n\n\n{self.wrong}"


@dataclass(frozen=True)
class Criterion:
    """One line of a rubric: what earns its points in a text, and what people write that does not."""

    id: str
    says: str
    points: float
    earns: str
    misses: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What one check came to."""

    id: str
    shown: bool
    passed: bool
    points: float
    max_points: float
    message: str


@dataclass(frozen=True)
class Picture:
    """A square of what came back beside what was wanted, from a shown probe: rows of shares, or of bools for a mask.

    None stands for what is no finite number. `rows` and `columns` name the axes.
    """

    title: str
    yours: tuple[tuple[float | bool | None, ...], ...]
    target: tuple[tuple[float | bool | None, ...], ...]
    rows: str = ""
    columns: str = ""


@dataclass(frozen=True)
class Drawing:
    """The squares that came back for one shown probe, to be seen side by side: rows of shares, or bools of a mask."""

    title: str
    squares: tuple[tuple[str, tuple[tuple[float | bool | None, ...], ...]], ...]
    """Each with what tells it from the others, as in "head 1"; empty where it is the only one."""
    rows: str = ""
    columns: str = ""
    across: int = 1
    """How many belong side by side at most, as in all heads of one text."""


@dataclass(frozen=True)
class Result:
    """What one learner got for one exercise; one line of results.jsonl, without the picture."""

    learner: str
    exercise: str | None
    points: float
    max_points: float
    verdict: str
    symptom: str | None = None
    misconceptions: tuple[str, ...] = ()
    family: str | None = None
    message: str = ""
    flags: tuple[str, ...] = ()
    checks: tuple[Verdict, ...] = ()
    attempts: int = 1
    """How many different sources the learner has handed in for this exercise, this one included."""
    late_days: int = 0
    """Started days after the due time; the points have already lost what that costs."""
    versions: Mapping[str, str] = field(default_factory=dict)
    picture: Picture | None = None
    """Where a grid shows what words cannot; never of a hidden probe."""
