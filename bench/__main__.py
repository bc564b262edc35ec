"""Run every bench and write docs/performance.md anew: ``python -m bench``. With ``--quick`` only print, in minutes.

How well judging does is measured by ``python -m bench.judgement``.
"""

from __future__ import annotations

import argparse

from bench import gradebook, peers, sizes
from bench.report import print_measured, run_alone


def main() -> None:
    """Peers first, then a gradebook, then sizes."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small numbers, no other tools; docs/ stays as it is")
    parser.add_argument(
        "--learners", type=int, default=peers.Plan.learners, help="for pytest; ours grade them forty times"
    )
    parser.add_argument("--slow-learners", type=int, default=peers.Plan.slow_learners, help="for the notebook tools")
    parser.add_argument("--rounds", type=int, default=peers.Plan.rounds, help="of the comparison")
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=sizes.SIZES, help="submissions in a class, smallest first"
    )
    chosen = parser.parse_args()
    if chosen.quick:
        print_measured(lambda: peers.measure(peers.Plan(learners=8, rounds=1, peers=False)))
        print_measured(lambda: sizes.measure((40, 200)))
        return
    plan = peers.Plan(chosen.learners, chosen.slow_learners, rounds=chosen.rounds)
    run_alone("peers", lambda: peers.measure(plan))
    run_alone("gradebook", lambda: gradebook.measure(gradebook.Plan(slow_learners=chosen.slow_learners)))
    run_alone("sizes", lambda: sizes.measure(chosen.sizes))


if __name__ == "__main__":
    main()
