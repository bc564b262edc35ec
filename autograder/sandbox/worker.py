"""The worker: the one process that executes a learner's code, and answers the grader's questions about it.

It holds the learner's source, the driver and the inputs of the probe at hand, never an expected value. Everything it
sends is only a claim. Questions and answers are frames of plain data; each answer echoes its question's number.
"""

from __future__ import annotations

import contextlib
import difflib
import linecache
import os
import random
import re
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from autograder.plain import Array, Library, Plain
from autograder.sandbox import wire
from autograder.sandbox.convert import from_plain, to_plain
from autograder.sandbox.harmless import harmless
from autograder.sandbox.reading import compiled, could_say, imports_torch, lines, parsed
from autograder.sandbox.readymade import listening, mentions

#: The one byte a worker sends unasked: its walls stand, and whatever becomes of it from here on is the learner's doing.
CONFINED = b"+"

#: Of the arrays on a failing line, how many are told, and how many of their axes.
MOST_SHAPES, MOST_AXES = 6, 8
#: How files are called that stand in for parts of a submission: wrong answers, when a key is compiled.
REPLACING = "<replacing "

Drive = Callable[[Mapping[str, Any], dict[str, Any], Callable[..., Any]], Mapping[str, Any]]


class NotDefined(LookupError):
    """Raised inside a driver when the submission lacks a name the exercise asks for."""


class _Learner(Mapping[str, Any]):
    """What the submission defines, by name; a missing name is reported as such instead of as a KeyError.

    `called` is the one of them that the probe at hand is about.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self.called = ""

    def __getitem__(self, name: str) -> Any:
        try:
            return self._namespace[name]
        except KeyError:
            raise NotDefined(name) from None

    def __iter__(self) -> Any:
        return iter(self._namespace)

    def __len__(self) -> int:
        return len(self._namespace)


def serve(questions: int, answers: int) -> None:
    """Answer questions from one file descriptor on another until the grader hangs up."""
    session = Session(Channel(questions, answers))
    while (question := session.channel.receive()) is not None:
        session.answer(question)


class Channel:
    """Frames over two pipes. Knows the number of the question being answered."""

    def __init__(self, questions: int, answers: int) -> None:
        self._in, self._out, self.number = questions, answers, 0

    def receive(self) -> dict[str, Any] | None:
        """The next question, or None when the grader closed the pipe."""
        header = self._read(wire.HEADER.size)
        if header is None:
            return None
        payload = self._read(wire.payload_length(header))
        question = wire.decode(payload or b"")
        assert isinstance(question, dict)
        number = question["number"]
        assert isinstance(number, int)
        self.number = number
        return question

    def send(self, answer: dict[str, Plain]) -> None:
        """Send one answer, after everything that was printed before it."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):  # the learner may have closed or replaced them
                stream.flush()
        rest = memoryview(wire.frame({**answer, "number": self.number}))
        while rest:
            rest = rest[os.write(self._out, rest) :]

    def _read(self, count: int) -> bytes | None:
        data = bytearray()
        while len(data) < count:
            piece = os.read(self._in, count - len(data))
            if not piece:
                return None
            data += piece
        return bytes(data)


class Session:
    """One submission, loaded once and asked many times."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.file = ""
        self.library: Library = "numpy"
        self.learner = _Learner({})
        self.drive: Drive | None = None
        self.ready_made: set[str] = set()

    def answer(self, question: dict[str, Any]) -> None:
        """Do what one question asks and send what came of it, whatever the learner's code does in Python."""
        try:
            answer = self._load(question) if question["ask"] == "load" else self._call(question)
        except NotDefined as missing:
            answer = {"outcome": "not_defined", "detail": self._undefined(str(missing))}
        except wire.Unsendable as problem:
            answer = {"outcome": "not_plain", "detail": str(problem)}
        except SystemExit:
            answer = {"outcome": "exited", "detail": "it called exit()"}
        except BaseException as error:
            answer = {"outcome": "raised", **describe(error, self.file)}
        try:
            self.channel.send(answer)
        except wire.Unsendable as problem:
            self.channel.send({"outcome": "not_plain", "detail": str(problem)})

    def _load(self, question: dict[str, Any]) -> dict[str, Plain]:
        source: str = question["source"]
        self.file = question["file"]
        seed()
        linecache.cache[self.file] = (len(source), None, lines(source), self.file)
        code = compiled(source, self.file)
        if question["shared"] and not (harmless(parsed(source, self.file)) and usual_settings()):
            return {"outcome": "disturbing"}
        warnings.showwarning = partial(show_warning, self.file)
        self.ready_made = set(question["ready_made"])
        said = could_say(source, self.ready_made)
        found = mentions(parsed(source, self.file), self.ready_made) if said else []  # before any of it runs
        module = types.ModuleType("submission")
        module.__file__ = self.file
        sys.modules["submission"] = module
        self.library = question["library"]
        if self.library == "numpy" and imports_torch(source, self.file):
            self.library = "torch"
        exec(code, module.__dict__)
        for place, text in enumerate(question.get("replacing", ())):
            name = f"{REPLACING}{place}>"
            linecache.cache[name] = (len(text), None, lines(text), name)
            exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)
        self.learner = _Learner(module.__dict__)
        self.drive = None
        if question["driver"]:
            driver: dict[str, Any] = {}
            exec(compiled(question["driver"], "<driver>"), driver)
            self.drive = driver["drive"]
        return {"outcome": "returned", "library": self.library, "ready_made": found}

    def _call(self, question: dict[str, Any]) -> dict[str, Plain]:
        seed()
        scattered = question["scattered"]
        inputs = {
            name: from_plain(value, self.library, name in scattered) for name, value in question["inputs"].items()
        }
        with listening(self.ready_made, self.file) as heard:
            self.learner.called = question["call"]
            if self.drive:
                parts = self.drive(self.learner, inputs, self.ask)
            else:
                parts = call_once(self.learner[question["call"]], inputs, question["gradient"])
        changed: list[Plain] = [name for name, sent in question["inputs"].items() if not same(sent, inputs[name])]
        return {"outcome": "returned", "parts": to_plain(dict(parts)), "changed": changed, "ready_made": heard}

    def _undefined(self, name: str) -> str:
        known = [each for each, value in self.learner.items() if isinstance(each, str) and callable(value)]
        near = difflib.get_close_matches(name, known, 1)
        return f"{name} is not defined in this file" + (f". Is it what you called {near[0]}?" if near else "")

    def ask(self, name: str, *arguments: Any) -> Any:
        """Call back into the grader while a probe runs: the other side of a hidden implementation."""
        self.channel.send({"outcome": "asks", "name": name, "arguments": to_plain(list(arguments))})
        number = self.channel.number
        reply = self.channel.receive()
        if reply is None or reply["number"] != number:
            os._exit(0)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return from_plain(reply["value"], self.library)


def call_once(function: Any, inputs: dict[str, Any], gradient: bool = False) -> Mapping[str, Any]:
    """The plain driver: call with the inputs in order; on request send a fixed gradient back through the result."""
    if not gradient:
        return {"result": function(*inputs.values())}
    import torch

    leaves = {name: x for name, x in inputs.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    for leaf in leaves.values():
        leaf.requires_grad_(True)
    result = function(*inputs.values())
    if isinstance(result, torch.Tensor) and result.grad_fn is not None and result.is_floating_point():
        fixed = torch.cos(torch.arange(result.numel())).reshape(result.shape).to(result.dtype)
        torch.autograd.backward((result * fixed).sum())  # handing it `fixed` would import sympy
    return {"result": result, "gradient": {name: leaf.grad for name, leaf in leaves.items()}}


def same(sent: Plain, now: Any) -> bool:
    """Whether an input still is what was sent. What can no longer be sent has changed."""
    if isinstance(sent, list):
        return isinstance(now, list) and len(now) == len(sent) and all(map(same, sent, now))
    if isinstance(sent, dict):
        return isinstance(now, dict) and now.keys() == sent.keys() and all(same(v, now[k]) for k, v in sent.items())
    if not isinstance(sent, Array):
        return type(now) is type(sent) and bool(now == sent)
    try:
        after = to_plain(now)
    except wire.Unsendable:
        return False
    return isinstance(after, Array) and (after.dtype, after.shape, after.data) == (sent.dtype, sent.shape, sent.data)


def show_warning(
    own: str, message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: object
) -> None:
    """Print a warning; one that seems to come from us comes from the line of the learner's file that is at work."""
    if os.path.dirname(os.path.abspath(filename)) == os.path.dirname(os.path.abspath(__file__)):
        steps = traceback.walk_stack(sys._getframe())
        filename, lineno = next(((own, line) for frame, line in steps if frame.f_code.co_filename == own), (own, 0))
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno))


def seed() -> None:
    """The same random state before every load and call, so an honest answer never depends on what ran before."""
    random.seed(0)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(0)
    if torch := sys.modules.get("torch"):
        torch.default_generator.manual_seed(0)  # torch.manual_seed asks every kind of device first


def usual_settings() -> bool:
    """Whether torch still computes as it did at the start; said again of a worker that has run other files."""
    torch = sys.modules.get("torch")
    return torch is None or (
        torch.is_grad_enabled() and not torch.is_inference_mode_enabled() and torch.get_default_dtype() == torch.float32
    )


def describe(error: BaseException, file: str) -> dict[str, Plain]:
    """Type, text and the learner's own frames of an exception; the frames of everybody else stay out."""
    frames: list[Plain] = []
    kind = type.__dict__["__name__"].__get__(type(error))  # what a metaclass says of it may be anything
    try:
        message = str(error)[:2000]
        if isinstance(error, SyntaxError) and error.filename == file:
            message = str(error.msg)
            frames = [[error.lineno or 0, "", (error.text or "").strip()[:200]]]
        else:
            for entry in traceback.extract_tb(error.__traceback__):
                if entry.filename == file:
                    frames.append([entry.lineno or 0, entry.name, (entry.line or "")[:200]])
    except BaseException:
        message = "<the text of this exception could not be read>"
    shapes = shapes_at(error, file)
    return {"type": kind[:80], "message": message, "frames": frames[-20:], "shapes": shapes}


def shapes_at(error: BaseException, file: str) -> list[Plain]:
    """The arrays named on the learner's line that failed, as [name, shape]: plain tensors and NumPy arrays only."""
    found: dict[str, Plain] = {}
    with contextlib.suppress(BaseException):
        modules = ((sys.modules.get("torch"), "Tensor"), (sys.modules.get("numpy"), "ndarray"))
        kinds = [getattr(module, kind) for module, kind in modules if module]
        steps = [(frame, line, frame.f_code.co_filename) for frame, line in traceback.walk_tb(error.__traceback__)]
        frame, line, name_of_file = [step for step in steps if step[2] == file or step[2].startswith(REPLACING)][-1]
        for name in re.findall(r"(?<![\w.])[A-Za-z_]\w*", linecache.getline(name_of_file, line)):
            value: Any = frame.f_locals.get(name)
            if type(value) in kinds and len(found) < MOST_SHAPES:
                found[name] = [*map(int, value.shape[:MOST_AXES])]
    return [[name, shape] for name, shape in found.items()]
