"""The command `headcount`, which is `python -m autograder` too: nothing is imported before `run`."""

import gc
import os
import sys

#: New objects between two searches for garbage. Loading the libraries makes more, and Python searches after 700.
FEW_COLLECTIONS = 100_000


def run() -> None:
    """Run the command with few searches for garbage: most commands are over before there is any worth it."""
    gc.set_threshold(FEW_COLLECTIONS)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for matrices as small as ours, NumPy's threads only wait
    try:
        from autograder.cli import main

        main()
    except KeyboardInterrupt:  # `main` says it too, once it is loaded
        print("Stopped.", file=sys.stderr)
        sys.exit(130)
    finally:
        gc.freeze()  # or else Python searches all that is left once more before it ends


if __name__ == "__main__":
    run()
