"""Run `headcount` with its own eyes open: ``python -m bench.watched FACTS.json grade CLASS --out DIR``.

FACTS.json then holds what only the grader process can tell: its peak memory, and what each judgement cost.
"""

from __future__ import annotations

import atexit
import json
import statistics
import sys
import time
from array import array
from pathlib import Path
from typing import Any

from autograder import cli
from autograder.judge import score


def main() -> None:
    """Watch the command in the remaining arguments."""
    facts, judgements = Path(sys.argv[1]), array("d")
    judge = score.judge

    def timed(*arguments: Any, **named: Any) -> Any:
        begun = time.thread_time()
        try:
            return judge(*arguments, **named)
        finally:
            judgements.append(time.thread_time() - begun)

    score.judge = timed  # before anybody imports it from there
    atexit.register(lambda: facts.write_text(json.dumps(_facts(judgements)), "utf-8"))
    sys.argv[1:] = sys.argv[2:]
    cli.main()


def _facts(judgements: array[float]) -> dict[str, float]:
    # ru_maxrss would also count the process this one was started from
    status = Path("/proc/self/status").read_text("utf-8").splitlines()
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    return {
        "peak_mb": peak / 1024,
        "judgements": len(judgements),
        "judge_ms": 1000 * statistics.median(judgements) if judgements else 0.0,
        "judge_cpu": sum(judgements),
    }


if __name__ == "__main__":
    main()
