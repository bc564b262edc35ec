"""`headcount doctor`: what this machine gives, why, and what to do about each gap."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Sequence

import click

import autograder
from autograder import keys
from autograder.course.errors import installing
from autograder.errors import HeadcountError
from autograder.sandbox.isolation import FULL, NONE
from autograder.sandbox.start import start

#: What helps, by a word in the reason that the kernel or the self-test gave.
REMEDIES = (
    ("landlock", "landlock needs Linux 5.13 or newer with `landlock` in /sys/kernel/security/lsm"),
    ("unshare", "allow unprivileged user namespaces, or start the container with them (seccomp profile, userns)"),
    ("mount", "let this process mount in namespaces of its own: containers often refuse it"),
    ("cgroup", "only root can make memory groups here; limits per process hold without them"),
    ("seccomp", "the kernel needs CONFIG_SECCOMP_FILTER, and the processor has to be x86_64 or aarch64"),
)


def doctor(*, as_json: bool) -> bool:
    """Print isolation and versions; True when an instructor can grade here."""
    versions = {
        "headcount": autograder.__version__, "python": platform.python_version(),
        "numpy": keys.library_version("numpy"), "torch": keys.library_version("torch"),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }  # fmt: skip
    try:
        with start(1, ["numpy"]) as zygote:
            level, words, reasons = zygote.isolation.level, zygote.isolation.words, zygote.isolation.reasons
    except (HeadcountError, OSError, AttributeError) as problem:
        level, words, reasons = NONE, "none: no worker can be started here", (str(problem),)
    if as_json:
        click.echo(json.dumps({"level": level, "words": words, "reasons": list(reasons), "versions": versions}))
        return level > NONE
    click.echo(f"Isolation: level {level} of {FULL}, {words}")
    for reason in reasons:
        click.echo(f"  because: {reason}")
    for remedy in _remedies(reasons):
        click.echo(f"  to mend: {remedy}")
    if level == NONE:
        click.echo("  `headcount grade` refuses here unless you say that you trust the files.")
    click.echo("\n" + "\n".join(f"{name:10} {version}" for name, version in versions.items()))
    if versions["torch"] == "none":
        click.echo(f"\ntorch is not installed: stage A works, the rest needs `{installing('torch')}`.")
    if sys.platform != "linux":
        click.echo("\nIsolation exists on Linux only.")
    return level > NONE


def _remedies(reasons: Sequence[str]) -> list[str]:
    return [remedy for word, remedy in REMEDIES if any(word in reason.lower() for reason in reasons)]
