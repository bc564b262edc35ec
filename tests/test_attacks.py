"""Hostile and clumsy submissions, graded beside good ones by the real command: see tests/attacks/README.md."""

from __future__ import annotations

import glob
import importlib.util
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from autograder.sandbox.launch import Zygote
from tests.conftest import ROOT, Run

ATTACKS = sorted((ROOT / "tests" / "attacks").glob("[0-9]*.py"))
HOMES = {
    "causal_mask": "a1_causal_mask", "attention_weights": "a2_attention_weights",
    "MultiHeadAttention": "c2_multi_head_attention", "recover_n_head": "f5_recover_from_outputs",
    "archive": "a1_causal_mask", "notebook": "a1_causal_mask",
}  # fmt: skip
#: What an EXPECT word about an upload means as a verdict.
UPLOAD = {
    "REJECT": {"REFUSED"}, "ACCEPT": {"OK"}, "ACCEPT_EMPTY": {"NOT_SUBMITTED", "REFUSED"},
    "MISSING": {"NOT_SUBMITTED", "REFUSED"},
}  # fmt: skip
GOOD = "import torch\n\n\ndef causal_mask(T):\n    return torch.ones(T, T, dtype=torch.bool).tril()\n"
LEVELS = {3: "own namespaces", 2: "landlock", 1: "only a system call filter"}


def header(path: Path) -> dict[str, str]:
    """The header lines of an attack."""
    text = path.read_bytes()
    found = {
        name: re.search(rb"^# " + name.encode() + rb": (.+)$", text, re.M) for name in ("KIND", "TARGET", "EXPECT")
    }
    return {name: match[1].decode().strip() for name, match in found.items() if match}


def hand_in(path: Path, group: Path, learner: str) -> None:
    """Put an attack into the class as its kind says."""
    told = header(path)
    data, name = path.read_bytes(), "up.zip"
    if told["KIND"] != "source":
        spec = importlib.util.spec_from_file_location("attack", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        data, name = module.build(), getattr(module, "NAME", None) or name
    if told["KIND"] == "archive":
        (group / f"{learner}{''.join(Path(name).suffixes)}").write_bytes(data)
        return
    (group / learner).mkdir()
    file = "headcount.ipynb" if told["KIND"] == "notebook" else f"{HOMES[told['TARGET']]}.py"
    (group / learner / file).write_bytes(data)


def fell_short(path: Path, rows: dict[str | None, dict[str, Any]]) -> str | None:
    """Why an attack did not get what it must, or None."""
    told = header(path)
    row = rows.get(None) or rows.get(HOMES[told["TARGET"]]) or {"verdict": "NOT_SUBMITTED"}
    accepted = set().union(*(UPLOAD.get(word, {word}) for word in told["EXPECT"].split()))
    if row["verdict"] in accepted or ("FORBIDDEN" in accepted and row["verdict"] == "OK" and row["flags"]):
        return None
    return f"{path.name}: {row['verdict']}, must be one of {sorted(accepted)}: {row.get('message')}"


@pytest.fixture(scope="module")
def highest() -> int:
    """The level of isolation this machine gives."""
    with Zygote(1, []) as zygote:
        return zygote.isolation.level


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("level", LEVELS, ids=LEVELS.values())
def test_every_attack_gets_what_it_must(
    tmp_path: Path, headcount: Run, highest: int, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every level: the verdict is an acceptable one, good neighbours lose nothing, and no trace is left behind."""
    if level > highest:
        pytest.skip(f"this machine gives level {highest}")
    monkeypatch.setenv("HEADCOUNT_HIGHEST_ISOLATION", str(level))
    group = tmp_path / "class"
    for number, path in enumerate(ATTACKS):
        group.mkdir(exist_ok=True)
        hand_in(path, group, f"upload{number:03}")
        (group / f"good{number:03}").mkdir()
        (group / f"good{number:03}" / "a1_causal_mask.py").write_text(GOOD)
    run = headcount("grade", group, "--out", tmp_path / "out", timeout=800)
    assert run.returncode == 0, run.stderr
    rows: dict[str, dict[str | None, dict[str, Any]]] = {}
    for line in (tmp_path / "out" / "results.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        rows.setdefault(row["learner"], {})[row["exercise"]] = row
    assert [why for number, path in enumerate(ATTACKS) if (why := fell_short(path, rows[f"upload{number:03}"]))] == []
    spoiled = [name for name in rows if name.startswith("good") and rows[name]["a1_causal_mask"]["points"] < 3]
    assert spoiled == []
    places = ["/tmp", "/var/tmp", "/dev/shm", os.getcwd(), os.path.expanduser("~")]
    assert [
        trace for place in places for name in ("PWNED*", "headcount-escape*") for trace in glob.glob(f"{place}/{name}")
    ] == []


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("level", [2, 1], ids=[LEVELS[2], LEVELS[1]])
def test_right_answers_lose_nothing(
    tmp_path: Path, headcount: Run, highest: int, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where less than everything shuts in: the model answers, and all other right ones, get full marks there too."""
    if level > highest:
        pytest.skip(f"this machine gives level {highest}")
    monkeypatch.setenv("HEADCOUNT_HIGHEST_ISOLATION", str(level))
    for folder in sorted((ROOT / "solutions").iterdir()):
        model = folder / "solution.py"
        for number, answer in enumerate([model, *sorted(folder.glob("styles/*.py"))] if model.exists() else []):
            copy = tmp_path / "class" / f"answers{number:02}" / f"{folder.name}.py"
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(answer, copy)
    run = headcount("grade", tmp_path / "class", "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text("utf-8").splitlines()]
    code = [row for row in rows if row["verdict"] != "NOT_SUBMITTED"]
    assert [row["message"] for row in code if row["points"] < row["max_points"]] == []
    assert len(code) == len(list((tmp_path / "class").glob("*/*.py")))
