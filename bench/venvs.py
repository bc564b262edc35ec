"""An environment of its own for each peer, made once: their pins and ours do not mix."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from bench.measure import BUILD, ROOT
from bench.tool import Missing


def folder_of(peer: str) -> Path:
    """The bin folder of the peer's environment, installed if need be. Raises Missing when it cannot be."""
    requirements = ROOT / "bench" / f"requirements-{peer}.txt"
    folder = BUILD / f"venv-{peer}"
    ready = folder / ".ready"
    wanted = requirements.read_text("utf-8")
    if not ready.exists() or ready.read_text("utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        print(f"installing {peer} into {folder.relative_to(ROOT)} ...", file=sys.stderr, flush=True)
        _do([sys.executable, "-m", "venv", folder])
        pip: list[str | Path] = [
            folder / "bin" / "python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]
        _refuse_cuda(_do([*pip, "--dry-run", "--report", "-", "-r", requirements]))
        _do([*pip, "-r", requirements])
        ready.write_text(wanted, "utf-8")
    return folder / "bin"


def _refuse_cuda(report: str) -> None:
    names = [item["metadata"]["name"] for item in json.loads(report)["install"]]
    if any(name.startswith("nvidia") for name in names):
        raise Missing(
            "pip would fetch gigabytes of CUDA libraries; point it to a CPU build of torch (PIP_EXTRA_INDEX_URL)"
        )


def _do(command: list[str | Path]) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(f"could not be installed: {(done.stderr.strip().splitlines() or ['pip said nothing'])[-1]}")
    return done.stdout
