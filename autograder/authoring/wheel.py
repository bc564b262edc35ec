"""The engine that runs this as a wheel, so that a handout can be installed where no index has it.

A wheel of pure Python is a zip with three more files. Two of them are those of the installed engine.
"""

from __future__ import annotations

import base64
import csv
import io
import zipfile
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import autograder
from autograder.course.errors import CourseError

PROJECT = "headcount"
TAG = "py3-none-any"
LEFT_OUT = {"__pycache__", "carried"}
#: Zips know no earlier time; the same engine gives the same bytes.
TIME = (1980, 1, 1, 0, 0, 0)


def write_wheel(folder: Path) -> Path:
    """Write the wheel into `folder`. Raises CourseError where the engine was never installed."""
    name = f"{PROJECT}-{autograder.__version__}"
    info = f"{name}.dist-info"
    files = _package() | {f"{info}/{part}": text for part, text in _about().items()}
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD")
    path = folder / f"{name}-{TAG}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for member, data in files.items():
            entry = zipfile.ZipInfo(member, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    return path


def _package() -> dict[str, bytes]:
    """The engine alone: the course that an installed one carries has its model answers with it."""
    root = Path(autograder.__file__).parent
    found = sorted(path for path in root.rglob("*") if path.is_file() and not LEFT_OUT & {*path.parts})
    return {f"{root.name}/{path.relative_to(root).as_posix()}": path.read_bytes() for path in found}


def _about() -> dict[str, bytes]:
    """What an installer reads: what the engine is, what it needs, and that it brings a command."""
    try:
        installed = metadata.distribution(PROJECT)
    except metadata.PackageNotFoundError:
        raise CourseError((f"{PROJECT} is not installed here, so it cannot be packed: pip install -e .",)) from None
    wheel = f"Wheel-Version: 1.0\nGenerator: {PROJECT}\nRoot-Is-Purelib: true\nTag: {TAG}\n"
    texts = {name: installed.read_text(name) or "" for name in ("METADATA", "entry_points.txt")}
    return {name: text.encode() for name, text in (texts | {"WHEEL": wheel}).items()}


def _record(files: dict[str, bytes], own: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
        writer.writerow((name, f"sha256={digest}", len(data)))
    writer.writerow((own, "", ""))
    return text.getvalue().encode()
