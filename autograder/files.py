"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write the file; an earlier one stays until the new one is on the disk. Raises OSError and what `pieces` does."""
    draft = path.with_name(f".{path.name}-{os.getpid()}.part")
    try:
        with open(draft, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
