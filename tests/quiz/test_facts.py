"""What the quizzes of the course say about torch, tried out with torch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from autograder.course.load import load_course
from autograder.quiz.draw import DEFAULT, load_quiz
from tests.conftest import ROOT

B, H, D = 2, 12, 64
C = H * D
CASES = {
    "with the mask, T = 5": (5, True),
    "with the mask, T = 12": (12, True),
    "with the mask, T = 64": (64, True),
    "without a mask": (5, False),
}


def choices(exercise: str, question: str) -> dict[str, bool]:
    """Which choices the course takes for right."""
    course = load_course(ROOT)
    drawn = load_quiz(course, course.exercise(exercise)).draw(DEFAULT)[question]
    return {choice.text: choice.right for choice in drawn.choices}  # type: ignore[attr-defined]


def raises(attempt: Callable[[], object]) -> bool:
    """Whether a call raises what a shape that does not fit raises."""
    try:
        attempt()
    except RuntimeError:
        return True
    return False


def third(T: int) -> Tensor:
    """The queries as a fused layer and a split give them: (B, T, C)."""
    return torch.randn(B, T, 3 * C).split(C, dim=-1)[0]


def attend(q: Tensor, T: int, *, mask: bool) -> Tensor:
    """Attention with a square mask of T by T, or without any."""
    scores = q @ q.transpose(-2, -1)
    if mask:
        scores = scores.masked_fill(torch.triu(torch.ones(T, T), diagonal=1).bool(), float("-inf"))
    return scores.softmax(dim=-1) @ q


@pytest.mark.parametrize(
    ("question", "split"),
    [
        ("forgotten_transpose", lambda T: third(T).view(B, T, H, D)),
        ("channels_before_tokens", lambda T: third(T).reshape(B, H, D, T)),
    ],
)
def test_where_a_wrong_split_raises(question: str, split: Callable[[int], Tensor]) -> None:
    """Exactly where the course says so."""
    told = choices("e1_crash_or_silent", question)
    tried = {case: raises(lambda c=case: attend(split(CASES[c][0]), *CASES[c][:1], mask=CASES[c][1])) for case in CASES}
    assert {case: told[case] for case in CASES if case in told} == {case: tried[case] for case in CASES if case in told}


def test_is_causal_never_notices() -> None:
    """The ready-made function builds its own mask, whatever the axes mean."""
    (told,) = (
        right for text, right in choices("e1_crash_or_silent", "forgotten_transpose").items() if "causal" in text
    )
    q = third(5).view(B, 5, H, D)
    assert told == raises(lambda: nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True))


def test_view_or_reshape() -> None:
    """Which line raises."""
    T = 5
    q, y = third(T), torch.randn(B, H, T, D)
    lines = {
        "q.view(B, T, h, d)": lambda: q.view(B, T, H, D),
        "q.view(B, h, T, d)": lambda: q.view(B, H, T, D),
        "q.reshape(B, h, T, d)": lambda: q.reshape(B, H, T, D),
        "y.transpose(1, 2).view(B, T, C)": lambda: y.transpose(1, 2).view(B, T, C),
        "y.transpose(1, 2).reshape(B, T, C)": lambda: y.transpose(1, 2).reshape(B, T, C),
    }
    assert choices("e1_crash_or_silent", "view_or_reshape") == {line: raises(each) for line, each in lines.items()}


def test_what_never_raises() -> None:
    """Straight and interleaved splits, and a merge by reshape alone, run for every T with and without a mask."""
    for T in (1, 5, 12, 64):
        for mask in (True, False):
            attend(third(T).reshape(B, H, T, D), T, mask=mask)
            attend(third(T).view(B, T, D, H).permute(0, 3, 1, 2), T, mask=mask)
        torch.randn(B, H, T, D).reshape(B, T, C)
    assert sum(choices("e1_crash_or_silent", "always_silent").values()) == 3


class PerHead(nn.Module):
    """A parameter that has the number of heads in its shape."""

    def __init__(self, h: int) -> None:
        super().__init__()
        self.q = nn.Parameter(torch.zeros(h, 96, 96 // h))


def test_which_layouts_raise() -> None:
    """load_state_dict raises for the two layouts that the course names."""
    layouts: dict[str, Callable[[int], nn.Module]] = {
        "one fused nn.Linear(C, 3C)": lambda h: nn.Linear(96, 3 * 96),
        "four nn.Linear(C, C), for q, k, v and the output": lambda h: nn.ModuleList(
            nn.Linear(96, 96) for _ in range(4)
        ),
        "one parameter of shape (h, C, d) for each of q, k and v": PerHead,
        "a list of h modules, each with an nn.Linear(C, d)": lambda h: nn.ModuleList(
            nn.Linear(96, 96 // h) for _ in range(h)
        ),
    }
    tried = {name: raises(lambda m=make: m(12).load_state_dict(m(16).state_dict())) for name, make in layouts.items()}
    assert choices("f1_nothing_complains", "layouts") == tried


def test_what_strict_means() -> None:
    """Without strict, names may be missing; shapes are compared all the same."""
    linear = nn.Linear(4, 4)
    linear.load_state_dict({}, strict=False)
    assert raises(lambda: linear.load_state_dict({}))
    assert raises(lambda: linear.load_state_dict({"weight": torch.zeros(3, 4)}, strict=False))
