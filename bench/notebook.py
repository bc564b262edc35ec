"""The assignment as a notebook: a cell for each answer and a cell that tests it. Plain JSON, no library needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}


def code(id: str, source: str, metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    """A code cell that has not been run."""
    blank: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
    return {**blank, "id": id, "source": source, "metadata": metadata or {}}


def write(cells: list[dict[str, Any]], path: Path) -> None:
    """Write these cells as a notebook, folder and all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": KERNEL, "cells": cells}), "utf-8")


def cells(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook."""
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return found
