"""Whether a large class costs more a submission; memory, judging and regrading. ``python -m bench.sizes``."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench import ours
from bench.classroom import EXERCISES, hand_in, learners
from bench.measure import BUILD, Cost
from bench.report import Goal, figure, goals, run_alone, table

SIZES = (100, 1000, 5000)
HEAD = (
    "submissions", "CPU each, start included", "CPU each further one", "wall each, start included",
    "peak memory of the grader, MB", "judging one exercise", "judging, share of CPU", "regrading, CPU each",
)  # fmt: skip


@dataclass(frozen=True)
class Grading:
    """One grading of a class: its cost, what was seen of the grader, and the cost of judging it again."""

    size: int
    start: Cost
    """What a class of one cost just before."""
    cost: Cost
    facts: dict[str, float]
    regrade: Cost | None


def measure(sizes: Sequence[int] = SIZES) -> str:
    """Grade classes of these sizes, the smallest again between the others, and return the tables."""
    ours.compile_keys()
    smallest, *others = sizes
    order = [smallest, *(size for other in others for size in (other, smallest))]
    done = [_grade(size, ours.offers("regrade")) for size in order]
    groups = [[grading for grading in done if grading.size == size] for size in sizes]
    caption = (
        f"The same {len(EXERCISES)} exercises, every submission different. Milliseconds unless another unit is named."
    )
    return "\n\n".join([caption, table(HEAD, [_line(group) for group in groups]), goals(_goals(groups))])


def _grade(size: int, again: bool) -> Grading:
    print(f"grading {size} submissions", file=sys.stderr, flush=True)
    start = ours.grade(hand_in(learners(1), BUILD / "class-of-one"))
    cost, facts = ours.watched_grade(hand_in(learners(size), BUILD / "class"))
    return Grading(size, start, cost, facts, ours.regrade() if again else None)


def _line(group: Sequence[Grading]) -> list[str]:
    regrade = _middle(group, _regrading) if group[0].regrade else None
    return [
        f"{group[0].size:,}",
        figure(1000 * _middle(group, lambda g: g.cost.cpu / g.size)),
        figure(1000 * _middle(group, _further)),
        figure(1000 * _middle(group, lambda g: g.cost.wall / g.size)),
        figure(_middle(group, lambda g: g.facts["peak_mb"])),
        figure(_middle(group, lambda g: g.facts["judge_ms"])),
        f"{100 * _middle(group, lambda g: g.facts['judge_cpu'] / g.cost.cpu):.1f} %",
        "no such command" if regrade is None else figure(1000 * regrade),
    ]


def _goals(groups: Sequence[Sequence[Grading]]) -> Iterator[Goal]:
    few, many = groups[0], groups[-1]
    sizes = f"{many[0].size:,} : {few[0].size:,} submissions"
    included = _middle(many, lambda g: g.cost.cpu / g.size) / _middle(few, lambda g: g.cost.cpu / g.size)
    yield Goal.at_most(f"{sizes}, each, start included", 1.1, [included])
    yield Goal.at_most(f"{sizes}, each further one", 1.1, [_middle(many, _further) / _middle(few, _further)])
    memory = _middle(many, lambda g: g.facts["peak_mb"]) / _middle(few, lambda g: g.facts["peak_mb"])
    yield Goal.at_most(f"{sizes}, peak memory of the grader", 1.1, [memory])
    if many[0].regrade:
        ratios = [grading.cost.cpu / grading.regrade.cpu for grading in many if grading.regrade]
        yield Goal.at_least(f"grading : regrading {many[0].size:,} submissions", 50, ratios)


def _middle(group: Sequence[Grading], what: Callable[[Grading], float]) -> float:
    return statistics.median(map(what, group))


def _further(grading: Grading) -> float:
    return (grading.cost - grading.start).cpu / (grading.size - 1)


def _regrading(grading: Grading) -> float:
    return grading.regrade.cpu / grading.size if grading.regrade else 0.0


if __name__ == "__main__":
    run_alone("sizes", measure)
