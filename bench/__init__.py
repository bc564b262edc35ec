"""Measured comparisons, one command each. `python -m bench` runs all of them and writes docs/performance.md anew."""
