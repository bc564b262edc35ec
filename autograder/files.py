"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, pieces: Iterable[bytes], *, lasting: bool = True) -> None:
    """Write the file; an earlier one stays until the new one is on the disk. Raises OSError and what `pieces` does.

    What can be made again need not be `lasting`: then a power cut may undo it, and nobody waits for the disk.
    """
    draft = path.with_name(f".{path.name}-{os.getpid()}.part")
    try:
        with open(draft, "wb") as file:
            file.writelines(pieces)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
