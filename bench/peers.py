"""What a submission costs here, with other tools, and at the floor. ``python -m bench.peers``."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bench import floor, ours, peer_nbgrader, peer_otter, peer_pytest
from bench.classroom import EXERCISES, WRONG_SHARE, learners
from bench.measure import Failed
from bench.report import Goal, figure, goals, median_and_range, run_alone, table
from bench.tool import Missing, Sample, Tool, Wrong


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    learners: int = 24
    slow_learners: int = 8
    """The notebook tools grade only the first learners of the same class."""
    times: int = 40
    """How often the tools that grade a whole class get it handed in, so that starting does not hide the rest."""
    rounds: int = 3
    peers: bool = True


@dataclass
class Row:
    """One tool, what was measured of it round after round, and what it found wrong."""

    tool: Tool
    samples: list[Sample] = field(default_factory=list)
    wrong: Wrong | None = None
    failed: str = ""

    def measure(self) -> None:
        """One more round. Whatever a tool does, the others are still measured; one that fails is not tried again."""
        if self.failed:
            return
        try:
            self.samples.append(self.tool.sample())
            self.wrong = self.tool.found_wrong() if self.tool.found_wrong else None
        except Exception as problem:
            self.failed = _reason(problem)


def measure(plan: Plan) -> str:
    """Grade with every tool in turn, round after round, and return the tables. Raises Failed where ours fail."""
    few = learners(plan.learners)
    rows = [Row(tool) for tool in (*ours.tools(few, plan.times), *floor.tools(few, plan.times))]
    own, missing = len(rows), list[str]()
    slow = few[: plan.slow_learners]
    for name, offer, class_ in (
        ("pytest", peer_pytest.tools, few),
        ("nbgrader", peer_nbgrader.tools, slow),
        ("otter-grader", peer_otter.tools, slow),
    ):
        try:
            rows += [Row(tool) for tool in offer(class_)] if plan.peers else []
        except Exception as problem:
            missing.append(f"{name}: {_reason(problem)}")
    for number in range(plan.rounds):
        for row in rows:
            print(f"round {number + 1} of {plan.rounds}: {row.tool.title}", file=sys.stderr, flush=True)
            row.measure()
    for row in rows[:own]:
        if row.failed:
            raise Failed(f"{row.tool.title}: {row.failed}")
    missing += [f"{row.tool.title}: {row.failed}" for row in rows if row.failed]
    rows = [row for row in rows if not row.failed]
    return "\n\n".join(
        [_caption(plan), _table(rows), *(f"Not measured: {line}" for line in missing), goals(_goals(rows))]
    )


def _reason(problem: Exception) -> str:
    return str(problem) if isinstance(problem, (Missing, Failed)) else f"{type(problem).__name__}: {problem}"


def _caption(plan: Plan) -> str:
    return (
        f"One assignment of {len(EXERCISES)} exercises ({', '.join(EXERCISES)}), {100 * WRONG_SHARE:.0f} % of the "
        f"answers wrong. Milliseconds. Rounds, interleaved: {plan.rounds}; the median and, in brackets, the range."
    )


def _table(rows: Sequence[Row]) -> str:
    mine, floor_ = _titled(rows, "headcount"), _titled(rows, "floor")
    head = [
        "tool", "submissions", "CPU each, start included", "CPU each further one", "wall each, start included",
        "CPU against ours", "further one against the floor", "judged like ours",
    ]  # fmt: skip
    return table(
        head,
        [
            [
                row.tool.title,
                str(len(row.tool.class_)),
                figure(statistics.median(1000 * sample.submission.cpu for sample in row.samples)),
                figure(statistics.median(1000 * sample.further.cpu for sample in row.samples)),
                figure(statistics.median(1000 * sample.submission.wall for sample in row.samples)),
                median_and_range(_against(row, mine)),
                median_and_range(_further_against(row, floor_)),
                _alike(row, mine),
            ]
            for row in rows
        ],
    )


def _goals(rows: Sequence[Row]) -> Iterator[Goal]:
    mine, floor_ = _titled(rows, "headcount"), _titled(rows, "floor")
    wanted = {"python + torch + pytest": 40, "nbgrader": 60}
    for row in rows:
        for start, least in wanted.items():
            if row.tool.title.startswith(start):
                yield Goal.at_least(f"{row.tool.title} : ours, start included", least, _against(row, mine))
    yield Goal.at_most("ours : floor with as many forks, a further submission", 1.4, _further_against(mine, floor_))
    single = _titled(rows, "floor: one")
    yield Goal.at_most("ours : floor with one fork, a further submission", 1.4, _further_against(mine, single))


def _titled(rows: Sequence[Row], start: str) -> Row:
    return next(row for row in rows if row.tool.title.startswith(start))


def _against(row: Row, other: Row) -> list[float]:
    return [a.submission.cpu / b.submission.cpu for a, b in zip(row.samples, other.samples, strict=True)]


def _further_against(row: Row, other: Row) -> list[float]:
    return [a.further.cpu / b.further.cpu for a, b in zip(row.samples, other.samples, strict=True)]


def _alike(row: Row, mine: Row) -> str:
    """How many answers both tools judged alike, of those that both have judged."""
    if row.wrong is None or mine.wrong is None:
        return ""
    names = {learner.name for learner in row.tool.class_} & {learner.name for learner in mine.tool.class_}
    count = len(names) * len(EXERCISES)
    differing = [name for name, _ in row.wrong ^ mine.wrong if name in names]
    return f"{count - len(differing)} of {count}"


if __name__ == "__main__":
    run_alone("peers", lambda: measure(Plan()))
