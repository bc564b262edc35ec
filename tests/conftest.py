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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: (item.path.name != "test_attacks.py", item.get_closest_marker("slow") is None))


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the tests' compiled keys apart from the user's, in one place for all processes that run tests."""
    own = tmp_path_factory.getbasetemp()
    cache = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"
    cache.mkdir(exist_ok=True)
    os.environ["XDG_CACHE_HOME"] = str(cache)
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
