"""What handing in late costs: a pure function of the course's rule, the learner and the time."""

from __future__ import annotations

from datetime import datetime, timedelta

from autograder.course.model import Late


def late_days(rule: Late | None, learner: str, received: str | None) -> int:
    """Started days between a learner's due time and the arrival; 0 where nothing is due or no arrival is known.

    Within the grace nothing is late; after it, days count from the due time itself. An extension only ever gives time.
    """
    if rule is None or received is None:
        return 0
    due = max(map(datetime.fromisoformat, (rule.due, rule.extensions.get(learner, rule.due))))
    early = due - datetime.fromisoformat(received)
    if -early <= timedelta(minutes=rule.grace_minutes):
        return 0
    return -(early // timedelta(days=1))  # rounds up, and exactly


def kept_share(rule: Late | None, days: int) -> float:
    """The share of the points that is kept, from 0 to 1."""
    if rule is None:
        return 1.0
    return 1.0 - min(days * rule.penalty_per_day, rule.cap) / 100.0
