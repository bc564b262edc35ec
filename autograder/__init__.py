"""Headcount's engine: runs untrusted answers in a worker, judges what they claim, and names the misconception behind them."""

__version__ = "0.1.0"
