"""What becomes of a worker, as the grader sees it: each way to fail has its outcome, and none harms the next one."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.course.model import Limits
from autograder.records import Array, Probe
from autograder.sandbox import child, worker
from autograder.sandbox.child import Child
from autograder.sandbox.isolation import FULL, LIMITED
from autograder.sandbox.launch import SandboxError, Zygote
from autograder.sandbox.run import Task, observe
from autograder.sandbox.wire import encode
from tests.sandbox.conftest import Ask

QUICK = Limits(cpu_seconds=1, wall_seconds=10, memory_mb=256)
IMPATIENT = Limits(cpu_seconds=4, wall_seconds=0.5)

#: Bodies, what may become of them, and the beginning of the reason.
FATES = {
    "an endless loop": ("while True: pass", {"cpu_limit"}, "more than 1 second of"),
    "a loop that C never leaves": (
        "import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')",
        {"cpu_limit"},
        "more than 1 second of",
    ),
    "memory without end, errors swallowed": (
        "kept = []\nwhile True:\n    try: kept.append(bytearray(b'y') * (1 << 20))\n    except MemoryError: pass",
        {"cpu_limit", "crashed"},
        "",
    ),
    "a crash in C": ("import ctypes\nctypes.string_at(0)", {"crashed"}, "SIGSEGV"),
    "abort": ("import os\nos.abort()", {"crashed"}, "SIG"),
    "leaving early": ("import os\nos._exit(0)", {"exited"}, "status 0"),
    "the status of a worker without walls": ("import os\nos._exit(99)", {"exited"}, "status 99"),
    "sys.exit": ("raise SystemExit(0)", {"exited"}, "it called exit()"),
    "the answer channel closed": ("import os\nos.close(4)", {"exited", "protocol"}, ""),
    "the question channel closed": ("import os\nos.close(3)\nreturn 1", {"returned"}, ""),
    "all channels closed, then waiting": (
        "import os, time\nos.closerange(0, 64)\nwhile True: time.sleep(1)",
        {"protocol"},
        "the answer channel was closed",
    ),
    "bytes on the answer channel": ("import os\nos.write(4, b'x' * 100)\nreturn 1", {"protocol"}, "a malformed answer"),
    "a frame announced too large": (
        "import os, struct\nos.write(4, b'MHA1' + struct.pack('<I', 1 << 31))\nreturn 1",
        {"too_large"},
        "an answer of 2048 MB",
    ),
    "an answer too large to send": ("import numpy\nreturn numpy.zeros(1 << 25, bool)", {"not_plain"}, ""),
    "a list that holds itself": ("kept = []\nkept.append(kept)\nreturn kept", {"not_plain"}, "data nested too deeply"),
    "a list as deep as memory": (
        "kept = []\nfor _ in range(10**5): kept = [kept]\nreturn kept",
        {"not_plain"},
        "data nested too deeply",
    ),
    "a list of the same long list": ("return [[0] * 4000] * 4000", {"not_plain"}, "more than 8,192 items"),
    "a longer float than Python has": (
        "import numpy\nreturn numpy.longdouble(1)",
        {"not_plain"},
        "an object of type numpy.longdouble",
    ),
    "a class with a line of its own": (
        "return type('A\\nada   100 points', (), {})()",
        {"not_plain"},
        "an object of type submission.A ada   100 points",
    ),
    "a class that will not say its name": (
        "class Kind(type): __module__ = property(lambda kind: 1 / 0)\nreturn Kind('A', (), {})()",
        {"not_plain"},
        "an object of",
    ),
    "an answer that is no data": ("return print", {"not_plain"}, "a function that was not called"),
}


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """A zygote behind the best walls of this machine."""
    with Zygote(1, ["numpy"]) as zygote:
        yield zygote


@pytest.mark.parametrize("what", FATES)
def test_each_fate_has_its_outcome(zygote: Zygote, ask: Ask, what: str) -> None:
    """A worker that fails gets the outcome of its failure, and the next one is as good as new."""
    body, outcomes, reason = FATES[what]
    seen, _ = ask(zygote, body, limits=QUICK)
    assert seen.outcome in outcomes
    assert seen.detail.startswith(reason)
    after, _ = ask(zygote, "return n + 1")
    assert after.parts == {"result": 2}


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("type('OK: 3 of 3\\nada', (Exception,), {})", "an exception without a proper name"),
        ("type('Torn', (Exception,), {})", "Torn"),
        ("type('M', (type,), {'__name__': property(lambda kind: exit())})('Shy', (Exception,), {})", "Shy"),
    ],
)
def test_the_name_of_an_exception_is_a_name(zygote: Zygote, ask: Ask, made: str, told: str) -> None:
    """A sentence names the type; no submission writes that sentence, and none ends because of a name."""
    seen, _ = ask(zygote, f"raise {made}('x')")
    assert seen.raised
    assert seen.raised.type == told


def test_nesting_beyond_the_parser_is_a_syntax_error(zygote: Zygote, ask: Ask) -> None:
    """Python says MemoryError or RecursionError there, which would sound like a matter of memory."""
    for deep in ("-" * 50_000 + "1", "+".join(["1"] * 50_000)):
        seen, _ = ask(zygote, "return n", before=f"x = {deep}")
        assert seen.raised
        assert (seen.stage, seen.raised.type) == ("load", "SyntaxError")


def test_lines_are_those_that_python_counts(zygote: Zygote, ask: Ask) -> None:
    """A form feed or a Unicode separator ends a line for nobody but str.splitlines."""
    seen, _ = ask(zygote, "return 1 / (n - n)", before="x = 'a\u2028b\x85c\x1cd'\n\x0c")
    assert seen.raised
    assert seen.raised.frames[-1][2] == "return 1 / (n - n)"


def test_a_missing_name_is_told_whatever_else_is_defined(zygote: Zygote) -> None:
    """Names that only a dict can hold are passed over."""
    seen = observe(zygote.lanes[0], Task("globals()[5] = print", "a.py", "numpy", "attempt", [_probe("a")]))
    assert seen.probes["a"].outcome == "not_defined"


def test_what_is_kept_of_one_submission_is_bounded(zygote: Zygote) -> None:
    """Answers that fit one by one are too large together, in whichever workers they come about."""
    source = "import numpy\ndef attempt(n): return numpy.zeros(n << 20, bool)"
    alone = [replace(_probe(name, 9), alone=True) for name in "abcd"]
    seen = observe(zygote.lanes[0], Task(source, "attempt.py", "numpy", "attempt", [*alone, _probe("small", 0)]))
    assert [o.outcome for o in seen.probes.values()] == ["returned", "returned", "too_large", "too_large", "too_large"]


def test_a_worker_gets_its_pipes_whatever_their_numbers() -> None:
    """A zygote of many workers holds many files, so the descriptors it is sent may have any numbers."""
    with Zygote(105, []) as zygote:
        children = [Child(lane, Limits()) for lane in zygote.lanes]
        try:
            question = {"ask": "load", "source": "print(7)", "file": "a.py", "driver": None, "library": "numpy"}
            asked = encode({**question, "shared": False, "ready_made": []})
            found = [child.ask(asked, float("inf"))["outcome"] for child in children]
        finally:
            for child in children:
                child.close()
    assert (found, {child.printed() for child in children}) == (["returned"] * 105, {"7\n"})


def test_waiting_is_timed_out(zygote: Zygote, ask: Ask) -> None:
    """A worker that sleeps, and one that drips its answer, are given up at the deadline of the whole answer."""
    for body in (
        "import time\nwhile True:\n    try: time.sleep(9)\n    except BaseException: pass",
        "import os, struct, time\nos.write(4, b'MHA1' + struct.pack('<I', 9999))\n"
        "while True: os.write(4, b'N'); time.sleep(0.05)",
    ):
        seen, _ = ask(zygote, body, limits=IMPATIENT)
        assert (seen.outcome, seen.detail) == ("timed_out", "no answer within 0.5 seconds")


@pytest.mark.parametrize("waited", [0.0, 1e6], ids=["everything stood still", "others had the processors"])
def test_time_that_the_machine_took_is_given_back(
    zygote: Zygote, ask: Ask, monkeypatch: pytest.MonkeyPatch, waited: float
) -> None:
    """An hour passes whenever a worker is waited for, and costs it nothing where it could not have gone on."""
    passed, hour = [0.0], 3600.0

    class Poller:
        def __init__(self) -> None:
            self.inner = select.poll()
            self.register, self.unregister = self.inner.register, self.inner.unregister

        def poll(self, milliseconds: float) -> list[tuple[int, int]]:
            found = self.inner.poll(milliseconds)
            passed[0] += hour * (waited == 0 or bool(found))
            return found

    monkeypatch.setattr(child, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + passed[0]))
    monkeypatch.setattr(child, "select", SimpleNamespace(poll=Poller, POLLIN=select.POLLIN, POLLOUT=select.POLLOUT))
    if waited:
        monkeypatch.setattr(child, "_waited", lambda _: waited)
        monkeypatch.setattr(child, "STRETCH", 2 * hour)  # so that nothing seems to stand still
    seen, _ = ask(zygote, "return n + 1", limits=IMPATIENT)
    assert (seen.outcome, seen.parts) == ("returned", {"result": 2})


def test_waiting_for_a_processor_is_what_the_kernel_counts() -> None:
    """Whoever has ended waits no more."""

    def counted() -> float:
        return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9

    handle = os.pidfd_open(os.getpid())
    before, found, after = counted(), child._waited(handle), counted()
    os.close(handle)
    assert before <= found <= after
    assert child._waited(handle) == 0.0


def test_memory_runs_out_in_the_worker(zygote: Zygote, ask: Ask) -> None:
    """Too much memory is an exception in the worker, whichever way it is asked for."""
    for body in (
        "return len(bytearray(1 << 31))",
        "import mmap\nreturn len(mmap.mmap(-1, 1 << 34))",
        "import numpy\nreturn int(numpy.ones(1 << 29).sum())",
    ):
        seen, _ = ask(zygote, body, limits=QUICK)
        assert seen.outcome == "raised"
        assert seen.raised
        assert seen.raised.type in ("MemoryError", "OSError", "_ArrayMemoryError")


def test_endless_recursion_is_an_exception(zygote: Zygote, ask: Ask) -> None:
    """Plain endless recursion ends as Python ends it."""
    seen, _ = ask(zygote, "return again(n)", before="def again(n): return again(n)")
    assert seen.raised
    assert seen.raised.type == "RecursionError"


def test_stopping_itself_is_refused(zygote: Zygote, ask: Ask) -> None:
    """A worker cannot stop itself, so nobody waits for it."""
    if zygote.isolation.level < LIMITED:
        pytest.skip("needs the system call filter")
    for body in ("import signal\nsignal.raise_signal(signal.SIGSTOP)", "import os, signal\nos.kill(os.getpid(), 19)"):
        seen, _ = ask(zygote, body)
        assert seen.raised
        assert seen.raised.type == "PermissionError"


def test_printing_is_kept_up_to_its_cap(zygote: Zygote, ask: Ask) -> None:
    """Printing without end costs nothing but what is beyond the cap, and control characters do not pass."""
    body = "import os\nfor _ in range(500): os.write(2, b'\\x1b]0;owned\\x07' * 1000)\nreturn 'done'"
    seen, printed = ask(zygote, body, limits=Limits(output_kb=8))
    assert seen.parts == {"result": "done"}
    assert 4096 < len(printed) <= 8192
    assert "\x1b" not in printed
    seen, printed = ask(zygote, "while True: print('again')", limits=QUICK)
    assert seen.outcome in ("cpu_limit", "timed_out")
    assert len(printed) <= QUICK.output_kb * 1024


def test_an_answer_prepared_beforehand_is_refused(zygote: Zygote) -> None:
    """What a submission sends while it loads, before any question, is not taken as an answer."""
    source = "import os\nos.write(4, b'MHA1\\x01\\0\\0\\0N')\ndef attempt(n): return n"
    seen = observe(zygote.lanes[0], Task(source, "attempt.py", "numpy", "attempt", [_probe("a")]))
    assert seen.probes["a"].outcome == "protocol"


def test_an_answer_with_an_impossible_tensor_is_refused(zygote: Zygote, ask: Ask) -> None:
    """A forged answer with the right number but an empty tensor of astronomic size is malformed, not our failure."""
    body = """
        import gc, os, struct
        number = next(o.number for o in gc.get_objects() if type(o).__name__ == "Channel")
        text = lambda s: b"S" + struct.pack("<I", len(s)) + s
        tensor = b"T" + struct.pack("<BBBB", 9, 5, 1, 0) + struct.pack("<5q", 0, *[2**31] * 4)
        parts = b"D" + struct.pack("<I", 1) + text(b"result") + tensor
        items = text(b"number") + b"I" + struct.pack("<q", number) + text(b"outcome") + text(b"returned")
        items += text(b"parts") + parts + text(b"inputs") + b"D" + struct.pack("<I", 0)
        answer = b"D" + struct.pack("<I", 4) + items
        os.write(4, b"MHA1" + struct.pack("<I", len(answer)) + answer)
    """
    seen, _ = ask(zygote, "import gc\ngc.unfreeze()" + body.replace("\n        ", "\n"))
    assert seen.outcome == "protocol"
    assert "too large to exist" in seen.detail


def test_a_death_costs_one_probe(zygote: Zygote) -> None:
    """The probe that killed a worker is lost; those before and after it are answered."""
    source = "import os\ndef attempt(n):\n    if n == 2: os.abort()\n    return n"
    probes = [_probe("first", 1), _probe("second", 2), _probe("third", 3)]
    seen = observe(zygote.lanes[0], Task(source, "attempt.py", "numpy", "attempt", probes))
    assert [o.outcome for o in seen.probes.values()] == ["returned", "crashed", "returned"]


def test_state_does_not_outlive_a_worker(zygote: Zygote, ask: Ask) -> None:
    """Whatever a submission does to Python, the next submission meets it as it was."""
    seen, _ = ask(zygote, "return math.gcd(4, 6)", before="import math\nmath.gcd = lambda *_: 7")
    assert seen.parts == {"result": 7}
    seen, _ = ask(zygote, "return math.gcd(4, 6)", before="import math")
    assert seen.parts == {"result": 2}


def test_a_worker_killed_from_outside_is_not_the_submissions_fault(zygote: Zygote) -> None:
    """Out of memory, or an impatient person: what ends a worker from outside never counts as an answer."""
    child = Child(zygote.lanes[0], Limits())
    try:
        question = {"ask": "load", "source": "", "file": "a.py", "driver": None, "library": "numpy"}
        asked = encode({**question, "shared": False, "ready_made": []})
        assert child.ask(asked, float("inf"))["outcome"] == "returned"
        signal.pidfd_send_signal(child._handle, signal.SIGKILL)
        fate = child._death()
    finally:
        child.close()
    assert fate.outcome == "not_run"


def test_a_killed_zygote_is_the_machines_fault() -> None:
    """When the zygote is gone, asking raises an error of ours instead of inventing an outcome."""
    with Zygote(1, []) as zygote:
        os.kill(zygote._process.pid, signal.SIGKILL)
        zygote._process.wait()
        zygote.lanes[0].settimeout(10)
        assert zygote.lanes[0].recv(1) == b"", "the zygote goes with its keeper"
        with pytest.raises(SandboxError):
            observe(zygote.lanes[0], Task("", "a.py", "numpy", "attempt", [_probe("a")]))


def test_an_answer_arrives_as_plain_data(zygote: Zygote, ask: Ask) -> None:
    """Arrays, numbers, text and nests of them come back as they were."""
    seen, printed = ask(
        zygote, "print('hello')\nreturn [numpy.arange(3), 1.5, 'x', {'a': None}]", before="import numpy"
    )
    assert seen.parts == {"result": [Array.of([0, 1, 2]), 1.5, "x", {"a": None}]}
    assert printed == "hello\n"


@pytest.mark.parametrize(
    ("library", "base", "made"),
    [
        ("numpy", "numpy.ndarray", "numpy.arange(3).view(Mine)"),
        ("torch", "torch.Tensor", "torch.arange(3).as_subclass(Mine)"),
        ("torch", "torch.nn.Parameter", "Mine(torch.arange(3), requires_grad=False)"),
    ],
)
def test_a_subclass_counts_by_its_numbers(zygote: Zygote, ask: Ask, library: str, base: str, made: str) -> None:
    """An array of a class of its own is the array it is, whatever that class says of itself."""
    lies = "__eq__ = all = __array__ = numpy = tolist = detach = lambda *_: 7"
    seen, _ = ask(zygote, f"return {made}", before=f"import {library}\nclass Mine({base}):\n    {lies}")
    (number,) = seen.parts.values()
    assert isinstance(number, Array)
    assert number.numpy().tolist() == [0, 1, 2]


def test_a_masked_array_is_no_array(zygote: Zygote, ask: Ask) -> None:
    """What a mask hides would count as the number behind it."""
    seen, _ = ask(zygote, "return numpy.ma.masked_equal([1, 2], 2)", before="import numpy")
    assert seen.outcome == "not_plain"


def test_isolation_is_told_in_words(zygote: Zygote) -> None:
    """A zygote says how far its workers are shut in, and gives a reason for everything less."""
    isolation = zygote.isolation
    assert isolation.words.startswith(("full: ", "good: ", "good, with limits: ", "none: "))
    assert isolation.level == FULL or isolation.reasons


def _probe(name: str, n: int = 1) -> Probe:
    return Probe(name=name, check="it", why="to be asked", inputs={"n": n})


def test_the_arrays_of_a_failing_line_are_told_with_their_shapes(zygote: Zygote, ask: Ask) -> None:
    """Only arrays, only those named on the learner's own line, wherever NumPy itself raised."""
    body = "a, b, other = numpy.zeros((2, 3)), numpy.ones(4), numpy.zeros(9)\nreturn a @ b + n"
    seen, _ = ask(zygote, body, before="import numpy")
    assert seen.raised
    assert seen.raised.shapes == (("a", (2, 3)), ("b", (4,)))


@pytest.mark.parametrize(
    "shapes", ["7", "[['a b', [1]]]", "[['a']]", "[[1, [2]]]", "{}", "[['a', 3]]"], ids=lambda shapes: shapes
)
def test_invented_shapes_are_left_out(zygote: Zygote, ask: Ask, shapes: str) -> None:
    """A worker may claim anything; what has not the agreed form is not told."""
    before = "import sys\nworker = sys.modules['autograder.sandbox.worker']"
    seen, _ = ask(zygote, f"worker.shapes_at = lambda error, file: {shapes}\n1 / 0", before=before)
    assert seen.raised
    assert seen.raised.shapes == ()


def test_a_warning_is_told_at_the_learners_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A warning that seems to come from the engine, which only stands in between, names the learner's own line."""
    source = "\nwarn(UserWarning('it is old'), UserWarning)\n"

    def warn(message: Warning, category: type[Warning]) -> None:
        worker.show_warning("answer.py", message, category, str(worker.__file__), 5)

    exec(compile(source, "answer.py", "exec"), {"warn": warn})
    assert capsys.readouterr().err.startswith("answer.py:2: UserWarning: it is old")


def test_a_probe_may_want_a_worker_to_itself(zygote: Zygote) -> None:
    """What a file remembers from other probes is gone there, and a file that does not load is not loaded again."""
    probes = [Probe(name=n, check="it", why="to count", inputs={}, alone=n in "cd") for n in "abcde"]
    source = "calls = []\ndef attempt():\n    calls.append(1)\n    return len(calls)\n"
    seen = observe(zygote.lanes[0], Task(source, "attempt.py", "numpy", "attempt", probes)).probes
    assert [seen[n].parts["result"] for n in "abcde"] == [1, 2, 1, 1, 1]
    torn = observe(zygote.lanes[0], Task("print(1)\n1 / 0", "attempt.py", "numpy", "attempt", probes))
    assert {each.stage for each in torn.probes.values()} == {"load"}
    assert torn.printed == "1\n"


def test_a_warning_about_the_source_is_printed_once(zygote: Zygote, ask: Ask) -> None:
    """A file that is read as code and as a tree warns like one that is read once."""
    claimed, printed = ask(zygote, "return n is 1 or len('\\d')")
    assert claimed.outcome == "returned"
    assert printed.count("SyntaxWarning") == 1
