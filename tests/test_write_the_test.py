"""The exercise whose answer is a test: what a check is worth, and that what it judges stays out of its reach."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator

import pytest

from autograder import keys
from autograder.checking import run_and_judge
from autograder.course.load import load_course
from autograder.records import Result, Submission
from autograder.running import workers
from tests.conftest import ROOT

GOOD = (ROOT / "solutions" / "e3_write_the_test" / "styles" / "sdpa.py").read_text("utf-8")
Marked = Callable[[str], Result]


@pytest.fixture(scope="module")
def mark() -> Iterator[Marked]:
    """Grade one source, hidden implementations included."""
    course = load_course(ROOT)
    exercise = course.exercise("e3_write_the_test")
    with workers([exercise], lanes=1) as zygote:
        (lane,) = zygote.lanes
        key = keys.compile_key(course, exercise, b"a secret for tests", lane)
        assert key

        def mark(source: str) -> Result:
            submission = Submission("ada", exercise.id, textwrap.dedent(source).encode(), "e3_write_the_test.py")
            return run_and_judge(course, exercise, key, submission, lane)[0]

        yield mark


def test_a_good_check_catches_all_seven(mark: Marked) -> None:
    """Each caught bug is a point of its own."""
    result = mark(GOOD)
    assert (result.points, result.verdict) == (7, "OK")
    assert [check.points for check in result.checks] == [0, 1, 1, 1, 1, 1, 1, 1]


def test_a_shape_only_check_catches_nobody(mark: Marked) -> None:
    """It accepts the right ones, which is worth nothing by itself."""
    result = mark(
        """
        import torch

        def check(mha):
            assert mha(torch.randn(2, 5, 12), torch.randn(36, 12), torch.randn(12, 12), 3).shape == (2, 5, 12)
        """
    )
    assert (result.points, result.misconceptions) == (0, ("check-passes-everything",))
    assert [check.id for check in result.checks if check.passed] == ["accepts"]


def test_each_bug_is_told_apart(mark: Marked) -> None:
    """With a single head the bugs that need several go unseen, and the message says why."""
    result = mark(GOOD.replace("B, T, h, d = 2, 7, 3, 5", "B, T, h, d = 2, 7, 1, 5"))
    assert [check.id for check in result.checks if check.points] == ["future", "softmax", "weights"]
    assert (result.points, result.misconceptions) == (3, ("check-one-head",))
    assert "it never asked for more than one head" in result.message


def test_refusing_a_right_one_costs_everything(mark: Marked) -> None:
    """All seven bugs are caught as well, but by a check that nobody could use."""
    result = mark(GOOD.replace("rtol=1e-4, atol=1e-4", "rtol=0, atol=0"))
    assert (result.points, result.misconceptions) == (0, ("check-refuses-right",))


def test_a_crash_catches_nobody(mark: Marked) -> None:
    """An exception that is not an AssertionError is reported as what it is."""
    result = mark("def check(mha):\n    raise KeyError('y')")
    assert (result.points, result.verdict) == (0, "EXCEPTION")
    assert "raised KeyError in line 2" in result.message


def test_refusing_in_turn_earns_nothing(mark: Marked) -> None:
    """Counting calls does not help: where the wrong ones stand is drawn anew for each question."""
    result = mark("calls = []\n\ndef check(mha):\n    calls.append(1)\n    assert len(calls) % 5 in (2, 4)")
    assert result.points == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("x[0], w, o, 3", "x has to be (B, T, C), with at least one of each, not (5, 12)"),
        ("x[:, :0], w, o, 3", "x has to be (B, T, C), with at least one of each, not (2, 0, 12)"),
        ("x, w.T, o, 3", "x has C = 12 channels, so qkv_weight has to be (36, 12), not (12, 36)"),
        ("x, w, o[:3], 3", "x has C = 12 channels, so out_weight has to be (12, 12), not (3, 12)"),
        ("x, w, o, 5", "n_heads has to be a whole number that divides C = 12, not 5"),
        ("x, w, o, 3.0", "n_heads has to be a whole number that divides C = 12, not 3.0"),
        ("x.long(), w, o, 3", "x has to be a tensor or an array of floats, not whole numbers (int64)"),
        ("x, None, o, 3", "qkv_weight has to be a tensor or an array of floats, not NoneType"),
        ("x, w + 0j, o, 3", "mha cannot be given a tensor of dtype complex64"),
        ("x, print, o, 3", "mha cannot be given a function that was not called"),
        ("torch.zeros(1, 400, 12), w, o, 3", "that is too much for one call"),
        ("torch.zeros(400, 20, 12), w, o, 3", "that is too much for one call"),
        (
            "torch.zeros(1, 2, 1100), torch.zeros(3300, 1100), torch.zeros(1100, 1100), 4",
            "mha cannot be given 19368971 bytes",
        ),
    ],
)
def test_asking_wrongly_is_told(mark: Marked, call: str, said: str) -> None:
    """A call that does not fit is an ordinary error in the learner's own line, and says what would fit."""
    source = "import torch\nx, w, o = (torch.randn(*s) for s in ((2, 5, 12), (36, 12), (12, 12)))\n"
    result = mark(f"{source}\n\ndef check(mha):\n    mha({call})\n")
    assert "raised ValueError in line 6" in result.message
    assert said in result.message


def test_errors_that_are_hushed_up_are_calls(mark: Marked) -> None:
    """A check that asks wrongly and takes no notice of the error is not told that it never asked."""
    result = mark(
        """
        import torch

        def check(mha):
            try:
                y = mha(torch.randn(2, 5, 12), torch.randn(12, 36), torch.randn(12, 12), 3)
            except Exception:
                return
            assert y.shape == (2, 5, 12)
        """
    )
    assert (result.points, result.misconceptions) == (0, ())
    assert "every call of mha that it tried was an error, which it hushed up" in result.message


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_answers_have_the_form_of_the_question(mark: Marked, dtype: str) -> None:
    """Tensors are answered with tensors and arrays with arrays, in the dtype of x; keywords work."""
    result = mark(
        f"""
        import numpy as np
        import torch

        def check(mha):
            x, w, o = (torch.randn(*s, dtype=torch.{dtype}) for s in ((2, 5, 12), (36, 12), (12, 12)))
            y = mha(x, qkv_weight=torch.nn.Parameter(w), out_weight=o.mT, n_heads=3)
            if type(y) is not torch.Tensor or y.dtype != x.dtype or y.shape != x.shape or not y.isfinite().all():
                raise TypeError(y)
            if x.dtype != torch.bfloat16:
                z = mha(x.numpy(), w.numpy(), o.numpy(), 3)
                if type(z) is not np.ndarray or z.dtype != x.numpy().dtype:
                    raise TypeError(z)
        """
    )
    assert result.misconceptions == ("check-passes-everything",)


def test_the_implementations_are_not_in_the_worker(mark: Marked) -> None:
    """Looking through all of memory finds what the submission itself has put there, and nothing of the grader's."""
    hunted = ["dealt_split", "straight_merge", "dealt_merge", "MOST_SCORES", "_require_fitting", "wrong_softmax"]
    source = """
        import gc, sys, types

        def planted_marker():
            pass

        def everything():
            frame = sys._getframe()
            while frame:
                yield frame.f_code
                yield from list(frame.f_locals.values())
                frame = frame.f_back
            for module in list(sys.modules.values()):
                yield from list(getattr(module, "__dict__", {}).values())
            yield from gc.get_objects()

        def texts(thing):
            if isinstance(thing, types.FunctionType):
                thing = thing.__code__
            if isinstance(thing, types.CodeType):
                return [thing.co_name, thing.co_filename, *map(str, thing.co_names), *map(str, thing.co_consts)]
            if isinstance(thing, dict):
                return [each for each in [*thing, *thing.values()] if isinstance(each, str)]
            if isinstance(thing, (list, tuple)):
                return [each for each in thing if isinstance(each, str)]
            return [thing] if isinstance(thing, str) else []

        def check(mha):
            # the names are kept backwards, so that the hunt does not find itself
            found = {name for thing in everything() for text in texts(thing) for name in HUNTED if name[::-1] in text}
            raise LookupError(f"found {len(found)}: {' '.join(sorted(found))}"[::-1])
    """
    backwards = [name[::-1] for name in [*hunted, "planted_marker"]]
    result = mark(textwrap.dedent(source) + f"\n\nHUNTED = {backwards!r}\n")
    assert "LookupError" in result.message
    assert "planted_marker :1 dnuof." in result.message
    probes = (ROOT / "solutions" / "e3_write_the_test" / "probes.py").read_text("utf-8")
    assert all(name in probes for name in hunted if name != "wrong_softmax")


#: Inputs of a check that knows nothing of attention.
DRAWN = """
    draw = torch.Generator().manual_seed(0)
    x, q, o = (torch.randn(*s, generator=draw) / 5 for s in ((2, 7, 24), (72, 24), (24, 24)))
"""
CHEATS = {
    "a vote among all implementations, reached through the closure": """
    own = dict(zip(mha.__code__.co_freevars, (cell.cell_contents for cell in mha.__closure__)))
    answers = [own["ask"]("mha", number, x, q, o, 3) for number in range(5)]
    assert sum(torch.allclose(answers[own["number"]], y, atol=1e-4) for y in answers) >= 3
    """,
    "the same, going ahead by judging oneself": """
    own = dict(zip(mha.__code__.co_freevars, (cell.cell_contents for cell in mha.__closure__)))
    answers = []
    for number in range(own["number"], 5):
        answers.append(own["ask"]("mha", number, x, q, o, 3))
        own["ask"]("judged", "accepted")
    assert sum(torch.allclose(answers[0], y, atol=1e-4) for y in answers) >= 3
    """,
    "what was said before, said again when all are known": """
    frame = sys._getframe(1)
    SEEN.append(mha(x, q, o, 3))
    if len(SEEN) % 5 == 0:
        like = [sum(torch.allclose(a, b, atol=1e-4) for b in SEEN[-5:]) for a in SEEN[-5:]]
        frame.f_locals["verdicts"][:] = ["accepted" if n >= 3 else "refused" for n in like[:-1]]
        assert like[-1] >= 3
    """,
    "the first one taken for a model": """
    SEEN.append(mha(x, q, o, 3))
    assert torch.allclose(SEEN[0], SEEN[-1], atol=1e-4)
    """,
    "a model remembered from the probe of right ones": """
    SEEN.append(mha(x, q, o, 3))
    if not 5 <= len(SEEN) - 1 < 10:
        assert torch.allclose(SEEN[5 if len(SEEN) > 5 else -1], SEEN[-1], atol=1e-4)
    """,
    "the first one mistrusted": """
    SEEN.append(mha(x, q, o, 3))
    assert not torch.allclose(SEEN[0], SEEN[-1], atol=1e-4)
    """,
}


@pytest.mark.parametrize("body", CHEATS.values(), ids=CHEATS)
def test_the_implementations_do_not_give_each_other_away(mark: Marked, body: str) -> None:
    """Whoever only compares them with each other catches nobody, whatever it reaches or remembers."""
    result = mark(f"import sys\nimport torch\nSEEN = []\n\ndef check(mha):{DRAWN}{textwrap.indent(body, '')}")
    assert result.points == 0
