"""Days late and the share of the points that is kept, by rule, learner and time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.course.model import Late
from autograder.judge.late import kept_share, late_days

RULE = Late(
    "2026-03-02T18:00+01:00",
    grace_minutes=15,
    penalty_per_day=10.0,
    cap=50.0,
    extensions={"ada": "2026-03-04T18:00+01:00"},
)


@pytest.mark.parametrize(
    ("received", "days"),
    [
        ("2026-01-01T00:00:00+00:00", 0),
        ("2026-03-02T16:59:59+00:00", 0),
        ("2026-03-02T17:00:00+00:00", 0),
        ("2026-03-02T17:15:00+00:00", 0),
        ("2026-03-02T17:15:01+00:00", 1),
        ("2026-03-03T17:00:00+00:00", 1),
        ("2026-03-03T17:00:00.000001+00:00", 2),
        ("2026-03-03T17:10:00+00:00", 2),
        ("2026-03-12T17:00:00+00:00", 10),
    ],
)
def test_started_days_after_the_grace(received: str, days: int) -> None:
    """Nothing is late within the grace; after it every started day counts, from the due time itself."""
    assert late_days(RULE, "bob", received) == days


def test_without_grace() -> None:
    """Without a grace the due time itself is in time, and a second later is a day."""
    rule = replace(RULE, grace_minutes=0)
    assert late_days(rule, "bob", "2026-03-02T18:00:00+01:00") == 0
    assert late_days(rule, "bob", "2026-03-02T18:00:01+01:00") == 1


def test_grace_longer_than_a_day() -> None:
    """After a grace of two days the first late moment is on the third day."""
    rule = replace(RULE, grace_minutes=2 * 24 * 60)
    assert late_days(rule, "bob", "2026-03-04T18:00:00+01:00") == 0
    assert late_days(rule, "bob", "2026-03-04T18:00:01+01:00") == 3


@pytest.mark.parametrize("grace", [0, 10**12 - 1])
@pytest.mark.parametrize("due", ["9999-12-31T23:59-12:00", "0001-01-01T00:00+12:00"])
def test_ends_of_the_calendar(due: str, grace: int) -> None:
    """No due time and no grace that a course may have is too far away to be compared."""
    assert (late_days(Late(due, grace), "bob", "2026-03-02T18:00:00+01:00") == 0) == (grace > 0 or due > "2026")


def test_extension() -> None:
    """An extended learner's days count from the extension, with the same grace; nobody else's do."""
    assert late_days(RULE, "ada", "2026-03-04T18:15:00+01:00") == 0
    assert late_days(RULE, "ada", "2026-03-04T18:16:00+01:00") == 1
    assert late_days(RULE, "bob", "2026-03-04T18:15:00+01:00") == 3


def test_extension_never_takes_time() -> None:
    """Where an exercise is due after the extension, the extended learner has as long as everybody."""
    rule = replace(RULE, due="2026-03-09T18:00+01:00")
    assert late_days(rule, "ada", "2026-03-09T18:00:00+01:00") == 0
    assert late_days(rule, "ada", "2026-03-09T18:16:00+01:00") == 1


@pytest.mark.parametrize(
    ("due", "received", "days"),
    [
        ("2026-03-02T18:00+01:00", "2026-03-02T17:30:00Z", 1),
        ("2026-03-02T18:00-05:00", "2026-03-02T22:30:00Z", 0),
        ("2026-03-02T23:59-12:00", "2026-03-03T22:59:00+11:00", 0),
        ("2026-03-02T23:59-12:00", "2026-03-03T22:59:01+11:00", 1),
        ("2026-03-28T18:00+01:00", "2026-03-29T19:00:00+02:00", 1),
        ("2026-03-28T18:00+01:00", "2026-03-29T19:00:01+02:00", 2),
    ],
)
def test_zones(due: str, received: str, days: int) -> None:
    """Moments are compared, not clock faces; a day has 24 hours, also when the clocks change."""
    assert late_days(Late(due), "bob", received) == days


def test_no_rule() -> None:
    """Where nothing is due nothing is late, and all points are kept."""
    assert late_days(None, "bob", "2026-03-12T17:00:00+00:00") == 0
    assert kept_share(None, 3) == 1.0


def test_no_time() -> None:
    """An answer of which nobody knows when it came is not late."""
    assert late_days(RULE, "bob", None) == 0


@pytest.mark.parametrize(("days", "share"), [(0, 1.0), (1, 0.9), (4, 0.6), (5, 0.5), (6, 0.5), (1000, 0.5)])
def test_kept_share(days: int, share: float) -> None:
    """Each day costs the same until the cap."""
    assert kept_share(RULE, days) == pytest.approx(share)


@pytest.mark.parametrize(
    ("rule", "shares"),
    [
        (Late(RULE.due), [1.0, 1.0, 1.0]),
        (Late(RULE.due, penalty_per_day=40), [1.0, 0.6, 0.2]),
        (Late(RULE.due, penalty_per_day=60), [1.0, 0.4, 0.0]),
        (Late(RULE.due, penalty_per_day=100, cap=0), [1.0, 1.0, 1.0]),
    ],
)
def test_defaults_of_a_rule(rule: Late, shares: list[float]) -> None:
    """Days cost nothing unless the rule says so, and never more than all points."""
    assert [kept_share(rule, days) for days in range(3)] == pytest.approx(shares)
