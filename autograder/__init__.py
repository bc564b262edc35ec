"""Headcount's engine: run untrusted answers in a worker, judge what they claim, name the misconception behind them."""

__version__ = "0.1.0"
