"""A rubric and a model text on a terminal, for whoever marks a text: its learner or an instructor."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.records import Criterion
from autograder.report.terminal import wrap


def draw_rubric(criteria: Sequence[Criterion], model: str) -> str:
    """What earns the points, what does not, and a text that has all of them."""
    lines = ["What earns the points:"]
    for each in criteria:
        lines += ["", *wrap(f"{worth(each)}, {each.id}: {each.says}", "  ", "  "), *wrap(each.earns, "    ", "    ")]
        lines += [line for miss in each.misses for line in wrap(f"not: {miss}", "    ", "         ")]
    return "\n".join([*lines, "", "A text with all of them:", "", *wrap(filled(model), "    ", "    ")])


def worth(criterion: Criterion) -> str:
    """Its points, in words."""
    return f"{criterion.points:g} point{'' if criterion.points == 1 else 's'}"


def filled(text: str) -> str:
    """Paragraphs as lines of their own, whatever lines the author broke them into."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
