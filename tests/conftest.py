"""What the tests share: a throwaway copy of a course, and the real command run in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
KITCHEN = ROOT / "tests" / "courses" / "kitchen"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the tests' compiled keys apart from the user's, and the threads off before anything is imported."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    os.environ["HEADCOUNT_SECRET"] = "a secret for tests"
    os.environ["COLUMNS"] = "100"
    os.environ["HEADCOUNT_BACKGROUND"] = "0"


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    """A copy of the small course about cooking."""
    return Path(shutil.copytree(KITCHEN, tmp_path / "kitchen"))


@pytest.fixture
def headcount() -> Run:
    """Run the real command: ``headcount("check", "k1", cwd=course)``."""

    def run(*arguments: str | Path, cwd: Path = ROOT, timeout: float = 240) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "autograder", *map(str, arguments)]
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=timeout)

    return run
