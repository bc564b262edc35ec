"""One claim against the expected answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from autograder.judge.arrays import rearranged, where
from autograder.judge.compare import compare, same
from autograder.records import Array, Observation, Probe, Raised

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def probe(**fields: object) -> Probe:
    """A probe without inputs."""
    return Probe(name="p", check="c", why="test", inputs={}, **fields)  # type: ignore[arg-type]


def returned(value: object, **fields: object) -> Observation:
    """The claim that a call returned this."""
    value = Array.of(value) if isinstance(value, np.ndarray) else value
    return Observation("p", "returned", parts={"result": value}, **fields)  # type: ignore[arg-type,dict-item]


def raised(kind: str, message: str = "", stage: str = "call") -> Observation:
    """The claim that an exception of this kind came."""
    return Observation("p", "raised", stage, raised=Raised(kind, message))  # type: ignore[arg-type]


def nan_at_0() -> np.ndarray:
    """X with its first matrix spoiled."""
    spoiled = X.copy()
    spoiled[0] = np.nan
    return spoiled


@pytest.mark.parametrize(
    ("got", "verdict"),
    [
        (X, "OK"),
        (X + 5e-6, "OK"),
        (X + 1e-3, "WRONG_VALUE"),
        (X.astype(np.float64), "WRONG_DTYPE"),
        (X.transpose(0, 2, 1), "WRONG_SHAPE"),
        (X[None], "WRONG_SHAPE"),
        (nan_at_0(), "NAN"),
        (np.full_like(X, np.inf), "WRONG_VALUE"),
        (None, "WRONG_TYPE"),
        ([1.0, 2.0], "WRONG_TYPE"),
        (3.0, "WRONG_TYPE"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_array_answer(got: object, verdict: str) -> None:
    """Type, shape and dtype are looked at before values, and rounding is forgiven."""
    assert compare(returned(X), returned(got), probe(), {}).verdict == verdict


@pytest.mark.parametrize(
    ("wanted", "got", "verdict"),
    [
        (12, 12, "OK"),
        (12, 13, "WRONG_VALUE"),
        (12, 12.0, "WRONG_TYPE"),
        (12, True, "WRONG_TYPE"),
        (0.5, 0.5000001, "OK"),
        (2.0, 2, "OK"),
        ([1, 2], [1, 2], "OK"),
        ([1, 2], [1], "WRONG_SHAPE"),
        ([1, 2], [1, 2.0], "WRONG_TYPE"),
        ({"0": 48}, {"0": 48}, "OK"),
        ({"0": 48}, {"1": 48}, "WRONG_VALUE"),
        ({"0": 48}, None, "WRONG_TYPE"),
    ],
)
def test_plain_answers(wanted: object, got: object, verdict: str) -> None:
    """Numbers, lists and dicts are compared by value and by type."""
    assert compare(returned(wanted), returned(got), probe(), {}).verdict == verdict


def test_infinities_must_agree() -> None:
    """A large number does not pass for an infinity, nor one infinity for the other."""
    wanted = np.array([-np.inf, 0.0])
    for got in ([-1e30, 0.0], [np.inf, 0.0]):
        assert compare(returned(wanted), returned(np.array(got)), probe(), {}).verdict == "WRONG_VALUE"


def test_bfloat16_is_compared_at_its_own_precision() -> None:
    """Half precision answers may differ in their last bits."""
    wanted, close, far = (Array.of(np.float32([x]), "bfloat16") for x in (0.5, 0.504, 0.6))
    assert compare(returned(wanted), returned(close), probe(), {}).right
    assert not compare(returned(wanted), returned(far), probe(), {}).right


def test_where_any_precision_will_do() -> None:
    """A probe may leave the precision of floats open; whole numbers are another kind of answer all the same."""
    wanted, free = returned(np.array([0.5, 0.25])), probe(any_precision=True)
    assert compare(wanted, returned(np.float32([0.5, 0.25])), free, {}).right
    assert compare(wanted, returned(np.float32([0.5, 0.2])), free, {}).verdict == "WRONG_VALUE"
    assert compare(wanted, returned(np.array([0, 0])), free, {}).verdict == "WRONG_DTYPE"
    assert compare(wanted, returned(np.float32([0.5, 0.25])), probe(), {}).verdict == "WRONG_DTYPE"


def test_a_right_pattern_in_the_wrong_dtype_is_said_to_be_right() -> None:
    """Who returns 1.0 for True hears that the values are right."""
    finding = compare(returned(np.eye(3, dtype=bool)), returned(np.eye(3)), probe(), {})
    assert finding.says == "came back as float64, not bool; the values themselves are right"


def test_a_changed_input_is_its_own_finding() -> None:
    """A right answer that spoiled its input is neither right nor called a wrong value."""
    finding = compare(returned(X), returned(X, changed=("x",)), probe(), {})
    assert (finding.verdict, "changed its input x" in finding.says) == ("MUTATED", True)


def test_the_same_question_twice() -> None:
    """A part called x_again that differs where x is right means the answer is not deterministic."""
    wanted = Observation("p", "returned", parts={"y": Array.of(X), "y_again": Array.of(X)})
    got = Observation("p", "returned", parts={"y": Array.of(X), "y_again": Array.of(X + 1)})
    assert compare(wanted, got, probe(), {}).verdict == "NONDETERMINISTIC"


def test_tensors_are_wanted_where_tensors_were_given() -> None:
    """A NumPy array for a torch question is named as such."""
    wanted = returned(Array.of(X, library="torch"), library="torch")
    finding = compare(wanted, returned(X, library="torch"), probe(), {})
    assert (
        finding.says
        == "came back with a numpy.ndarray, where a torch tensor is wanted; a file that imports torch answers in torch"
    )


@pytest.mark.parametrize(
    ("got", "verdict"),
    [
        (raised("ValueError"), "OK"),
        (raised("AssertionError"), "OK"),
        (raised("NotImplementedError", "x cannot be cut"), "OK"),
        (raised("NotImplementedError", "f is not written yet"), "EXCEPTION"),
        (returned(X), "WRONG_VALUE"),
        (raised("SyntaxError", stage="load"), "SYNTAX_ERROR"),
        (raised("ModuleNotFoundError", stage="load"), "IMPORT_ERROR"),
    ],
)
def test_where_a_refusal_is_right(got: Observation, verdict: str) -> None:
    """Any exception refuses, except the stub's own and one that kept the file from loading."""
    assert compare(raised("ValueError", "no"), got, probe(), {}).verdict == verdict


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [("timed_out", "TIMEOUT"), ("crashed", "CRASHED"), ("exited", "EXITED_EARLY"), ("not_run", "NOT_GRADED")],
)
def test_where_nothing_came_back(outcome: str, verdict: str) -> None:
    """Every way to end without an answer has a word of its own."""
    assert compare(returned(X), Observation("p", outcome), probe(), {}).verdict == verdict  # type: ignore[arg-type]


def test_a_measure_decides_what_is_compared() -> None:
    """With several right answers only what the measure makes of them has to agree, whatever the dtype."""

    def spread(inputs: object, parts: dict[str, np.ndarray]) -> dict[str, object]:
        return {"peak": int(parts["result"].argmax())}

    right, wrong = np.float64([0, 3, 1]), np.float64([5, 3, 1])
    assert compare(returned(np.float32([0, 9, 0])), returned(right), probe(measure=spread), {}).right
    assert not compare(returned(np.float32([0, 9, 0])), returned(wrong), probe(measure=spread), {}).right


def test_a_measure_may_say_what_is_wrong() -> None:
    """A text that a measure returns is the rest of the sentence; where it is as expected, nothing is said."""

    def verdict(inputs: object, parts: dict[str, str]) -> dict[str, object]:
        return {"verdict": "" if parts["result"] == "caught" else "lets a thief go"}

    assert compare(returned("caught"), returned("caught"), probe(measure=verdict), {}).right
    assert compare(returned("caught"), returned("missed"), probe(measure=verdict), {}).says == "lets a thief go"


@pytest.mark.parametrize(
    ("claim", "says"), [("", "says nothing"), ("\x1b[2Jfinds\r\n 6", "\ufffd[2Jfinds\ufffd 6"), ("x" * 9999, "x" * 300)]
)
def test_a_claim_that_a_measure_passes_on_is_one_clean_line(claim: str, says: str) -> None:
    """A submission may have sent it in the place of its driver."""
    measure = lambda inputs, parts: {"found": parts["result"]}  # noqa: E731
    assert compare(returned("right"), returned(claim), probe(measure=measure), {}).says == says


def test_a_measure_may_choke_on_a_claim() -> None:
    """A claim that a measure cannot digest is wrong; it does not stop the grading."""

    def fussy(inputs: object, parts: dict[str, np.ndarray]) -> dict[str, object]:
        return {"third": parts["result"][int(parts["result"][0])]}

    finding = compare(returned(np.float64([0, 1])), returned(np.float64([7, 1])), probe(measure=fussy), {})
    assert finding.verdict == "WRONG_VALUE"


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (np.s_[:, :6], "right only at token 6, the last of 7"),
        (np.s_[:, 1:], "right only at token 0, the first of 7"),
        (np.s_[0], "wrong only at batch 0, the first of 3"),
        (np.s_[...], "wrong everywhere"),
        (np.s_[:, [1, 2, 4]], "wrong only at token 1-2, 4 (of 0-6)"),
    ],
)
def test_where_it_is_wrong(bad: object, says: str) -> None:
    """The axis on which some places are right and others wrong is the one that is told."""
    wrong = np.zeros((3, 7), bool)
    wrong[bad] = True  # type: ignore[index]
    assert where(wrong, ("batch", "token")) == says


@pytest.mark.parametrize(
    ("got", "says"),
    [
        (X[None], "; the numbers themselves are right, only axes of size 1 are too many"),
        (X.transpose(0, 2, 1), "; the numbers themselves are right, but the axes stand in the order (b, c, t)"),
        (X.reshape(6, 4), "; the numbers themselves are right and in the right order, but cut into other axes"),
        (np.stack([X, X]), "; the numbers themselves are right, but copied along an axis"),
        (X + np.float32([[[[0]], [[1]]]]), ""),
        (X[:1], ""),
    ],
    ids=["too deep", "rearranged", "cut elsewhere", "copied", "copied and changed", "cut off"],
)
def test_right_numbers_in_another_shape(got: np.ndarray, says: str) -> None:
    """What was done to right numbers is told, and nothing is claimed about others."""
    assert rearranged(X, got, ("b", "t", "c")) == says


def test_numbers_that_were_not_copied() -> None:
    """One matrix where the same one belongs to every batch is right as far as it goes."""
    assert rearranged(np.stack([X[0], X[0]]), X[0], ()).endswith("but not copied along an axis")


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ([X, X + 1], "; its item 0 is the right answer: return that one alone"),
        ([X[0], X[1]], "; its items are the right ones, one for each batch, and only have to be stacked"),
        (
            [X[:, 0], X[:, 1], X[:, 2]],
            "; its items are the right ones, one for each token, and only have to be stacked",
        ),
        ([X + 1], ""),
        ([X[0], None], ""),
        ([], ""),
    ],
    ids=["a tuple", "a list of batches", "a list of tokens", "wrong numbers", "a piece missing", "empty"],
)
def test_a_list_that_holds_the_right_answer(items: list[object], says: str) -> None:
    """A list is still the wrong type, but its owner hears what is right in it."""
    listed = [Array.of(item) if isinstance(item, np.ndarray) else item for item in items]
    finding = compare(returned(X), returned(listed), probe(), {"result": ("batch", "token", "channel")})
    assert (finding.verdict, finding.says.partition(" is wanted")[2]) == ("WRONG_TYPE", says)


def test_a_cut_gradient_names_the_inputs_it_never_reached() -> None:
    """The answer is right, so it is the gradient that is spoken of."""
    reached, nothing = {"q": Array.of(X), "k": Array.of(X)}, {"q": Array.of(X), "k": None}
    wanted, got = (
        Observation("p", "returned", parts={"result": Array.of(X), "gradient": gradient})  # type: ignore[dict-item]
        for gradient in (reached, nothing)
    )
    assert compare(wanted, got, probe(), {}).says == "gave the right answer, but no gradient gets back to k"


def test_a_statement_that_does_not_hold_is_told_in_its_own_words() -> None:
    """A measure that answers yes or no is named by a statement."""
    kept = probe(measure=lambda inputs, parts: {"zeros stay zeros": bool(parts["result"][0] == 0)})
    finding = compare(returned(np.zeros(2)), returned(np.ones(2)), kept, {})
    assert finding.says == "gets this wrong: zeros stay zeros"


def test_the_same_wrong_answer() -> None:
    """Two wrong answers are the same when they agree within tolerance, and two errors when type and text agree."""
    assert same(returned(X), returned(X + 1e-6), probe())
    assert not same(returned(X), returned(X + 1), probe())
    assert same(raised("RuntimeError", "shape"), raised("RuntimeError", "shape"), probe())
    assert not same(raised("RuntimeError", "shape"), raised("RuntimeError", "view"), probe())


def test_a_mask_to_add_is_no_right_pattern_in_another_dtype() -> None:
    """-inf where a token may look counts as True when it is cast, and is wrong all the same."""
    look = np.tri(3, dtype=bool)
    finding = compare(returned(look), returned(np.where(look, -np.inf, 0)), probe(), {})
    assert finding.says == "came back as float64, not bool"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda x: x.round(2), "they are the right numbers, rounded to 2 digits behind the point"),
        (
            lambda x: x.astype(np.float16).astype(np.float64),
            "they are right to about three digits, as many as half precision has",
        ),
        (lambda x: np.where(x == 0, 1e-3, x), ""),
        (lambda x: x * 1.1, ""),
        (lambda x: 0 * x, ""),
    ],
    ids=["rounded", "half precision", "a small leak", "scaled", "zeros"],
)
def test_numbers_with_fewer_digits(change: Callable[[np.ndarray], np.ndarray], says: str) -> None:
    """Right numbers that lost digits on the way are told as such, and nothing else is."""
    x = np.array([[1.0, 0.0, 0.0], [0.2341, 0.7659, 0.0], [0.1113, 0.2226, 0.6661]])
    finding = compare(returned(x), returned(change(x)), probe(), {})
    assert finding.verdict == "WRONG_VALUE"
    assert ("; " + says in finding.says) if says else ("digits" not in finding.says)
