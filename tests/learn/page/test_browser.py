"""The page in a real browser, by keyboard. Skipped where there is no browser to run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.learn.conftest import STUB
from tests.learn.page.conftest import serving

SCRIPT = Path(__file__).with_name("page.cjs")


@pytest.mark.slow
def test_a_learner_at_the_page(kitchen: Path) -> None:
    """Typed, saved and judged in place; what others write is followed or asked about; all of it without scripts too."""
    node, chromium = shutil.which("node"), shutil.which("chromium") or shutil.which("google-chrome")
    if node is None or chromium is None:
        pytest.skip("needs Node and Chromium")
    if subprocess.run([node, "-e", "require('playwright-core')"], capture_output=True, check=False).returncode:
        pytest.skip("needs playwright-core: npm install playwright-core, and NODE_PATH to its node_modules")
    pictures = Path(os.environ.get("HEADCOUNT_SCREENSHOTS", kitchen))
    with serving(kitchen) as (browser, _):
        command = [node, str(SCRIPT), chromium, browser.address, str(kitchen / STUB), str(pictures)]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert seen["address"] == f"http://{browser.host}/", "the key is gone from the address"
    assert (seen["strangers"], seen["dialogs"], seen["complaints"]) == ([], [], [])
    assert seen["folded"] == 1
    typed = "def scale_recipe(amounts, written_for, guests):\n    print('<script>alert(1)</script>')\n"
    assert seen["file"] == f"{typed}    return amounts * guests\n    "
    assert "0 of 3 shown checks passed." in seen["told"]
    assert "<script>alert(1)</script>" in seen["told"]
    assert "0 of 3 shown checks passed." in seen["heard"], "a screen reader is told"
    assert seen["state"] == "Saved"
    assert seen["stayed"] == "Next hint", "a button that was pressed keeps the focus"
    assert seen["left"] == "Save and check"
    assert seen["followed"].endswith("    return amounts * guests / written_for\n")
    theirs, mine = seen["kept"]
    assert (theirs, mine.endswith("# more"), seen["taken"]) == ("theirs\n", True, "theirs\n")
    assert "The 3 shown checks passed" in seen["plain"]
    assert seen["wide"] == [360, 360]
    assert (pictures / "wrong.png").stat().st_size > 10_000
