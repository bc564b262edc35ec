"""Code that has been moved into huge pages runs as before."""

from __future__ import annotations

import subprocess
import sys

import pytest

from autograder.sandbox import codepages
from tests.conftest import ROOT

MOVE = """
import os
import numpy
from autograder.sandbox import codepages
from autograder.sandbox.rehearsal import rehearse

proc = os.open("/proc", os.O_PATH)
codepages.forget(proc)
rehearse(["numpy"])
before = open("/proc/self/maps").read()
codepages.hold(proc)
after = open("/proc/self/maps").read()
rehearse(["numpy"])  # by code that lies elsewhere in memory now
code = [line.split() for line in after.splitlines() if line not in before]
print(sum(mode == "r-xp" and inode == "0" for _, mode, _, _, inode, *_ in code))
x = numpy.arange(6.0).reshape(2, 3)
print((x @ x.T).tolist())
"""


@pytest.mark.skipif(not codepages.supported(), reason="code is moved on x86_64 only")
def test_moved_code_runs_as_before() -> None:
    """After libraries and Python itself have been moved, both still compute; where nothing is moved, all the more."""
    done = subprocess.run([sys.executable, "-c", MOVE], cwd=ROOT, capture_output=True, text=True, check=True)
    moved, product = done.stdout.splitlines()[-2:]
    assert product == "[[5.0, 14.0], [14.0, 50.0]]"
    assert int(moved) > 0 or _no_huge_pages()


def _no_huge_pages() -> bool:
    try:
        with open("/sys/kernel/mm/transparent_hugepage/enabled") as enabled:
            return "[never]" in enabled.read()
    except OSError:
        return True
