"""`python -m autograder` is the command `headcount`."""

from autograder.cli import main

main()
