"""Tables in Markdown, and the marked places of docs/performance.md they go to."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from bench.measure import ROOT, Failed

PAGE = ROOT / "docs" / "performance.md"


class Goal(NamedTuple):
    """A promise about a ratio: `wanted` in words, the median measured, and whether it holds."""

    about: str
    wanted: str
    measured: float
    holds: bool

    @classmethod
    def at_least(cls, about: str, least: float, measured: Sequence[float]) -> Goal:
        """A ratio that should be large; one value for each round."""
        middle = statistics.median(measured)
        return cls(about, f"at least {least:g}", middle, middle >= least)

    @classmethod
    def at_most(cls, about: str, most: float, measured: Sequence[float]) -> Goal:
        """A ratio that should be small; one value for each round."""
        middle = statistics.median(measured)
        return cls(about, f"at most {most:g}", middle, middle <= most)


def goals(listed: Iterable[Goal]) -> str:
    """The promises as a table."""
    rows = [[goal.about, goal.wanted, figure(goal.measured), "yes" if goal.holds else "**no**"] for goal in listed]
    return table(["ratio", "wanted", "measured", "holds"], rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; every column but the first is set to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def figure(value: float) -> str:
    """Three digits, as many as these measurements can carry."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}" if abs(value) >= 0.001 else "0"


def median_and_range(values: Sequence[float]) -> str:
    """The median, and with several values the smallest and the largest."""
    middle = figure(statistics.median(values))
    return f"{middle} ({figure(min(values))}-{figure(max(values))})" if len(values) > 1 else middle


def run_alone(name: str, measure: Callable[[], str]) -> None:
    """Measure, print, and write to docs/performance.md; or print one line and exit with 1 where ours fail."""
    put(name, print_measured(measure))


def print_measured(measure: Callable[[], str]) -> str:
    """Measure and print, with date, code, machine and versions above."""
    place = where_and_when()
    try:
        text = f"{place}\n\n{measure()}"
    except Failed as problem:
        sys.exit(str(problem))
    print(text, flush=True)
    return text


def where_and_when() -> str:
    """Date, code, machine and versions in one paragraph."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    versions = f"Python {platform.python_version()}, torch {metadata.version('torch')}"
    machine = f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"
    load = f"load of the machine before {os.getloadavg()[0]:.1f}"
    return f"Measured on {time.strftime('%Y-%m-%d')} at revision {_revision()}: {machine}; {versions}; {load}."


@cache
def _revision() -> str:
    """Asked once: writing the first table would make the second one's revision a changed one."""
    asked = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def put(name: str, text: str, page: Path | None = None) -> None:
    """Replace what lies between the marks of this name in docs/performance.md, or in another page."""
    page = page or PAGE
    begin, end = f"<!-- {name}: written by the bench -->", f"<!-- end of {name} -->"
    before, found, rest = page.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{page.relative_to(ROOT)} lacks the marks '{begin}' and '{end}'")
    page.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", "utf-8")
