"""Plain data as JSON data and back. A large array is given to whoever keeps it, and only its name is left."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from typing import Any

from autograder.plain import Array

#: Arrays of at least this many bytes are kept elsewhere.
BLOB_BYTES = 512


def pack(value: Any, keep: Callable[[bytes], str]) -> Any:
    """Plain data as JSON data: arrays and bytes become objects of one key that no plain dict has."""
    if value is None or type(value) in (str, int, bool):  # as most of it is
        return value
    if isinstance(value, Array):
        data = {"#blob": keep(value.data)} if len(value.data) >= BLOB_BYTES else _text(value.data)
        return {"#array": [value.dtype, list(value.shape), data, value.library, value.requires_grad]}
    if isinstance(value, bytes):
        return {"#bytes": _text(value)}
    if isinstance(value, float) and value - value != 0:
        return {"#float": repr(value)}
    if isinstance(value, list):
        return [pack(item, keep) for item in value]
    if isinstance(value, dict):
        return {key.replace("#", "##"): pack(item, keep) for key, item in value.items()}
    return value


def unpack(value: Any, kept: Callable[[str], bytes]) -> Any:
    """What `pack` was given. `kept` finds the bytes of a name."""
    if isinstance(value, list):
        return [unpack(item, kept) for item in value]
    if not isinstance(value, dict):
        return value
    if "#array" in value:
        dtype, shape, data, library, grad = value["#array"]
        data = kept(data["#blob"]) if isinstance(data, dict) else base64.b64decode(data)
        return Array(dtype, tuple(shape), data, library, grad)
    if "#bytes" in value:
        return base64.b64decode(value["#bytes"])
    if "#float" in value:
        return float(value["#float"])
    return {key.replace("##", "#"): unpack(item, kept) for key, item in value.items()}


def squeezed(data: bytes) -> bytes:
    """Bytes, compressed, as text that JSON holds as it is."""
    return base64.b64encode(zlib.compress(data, 1))


def restored(text: str) -> bytes:
    """What `squeezed` was given."""
    return zlib.decompress(base64.b64decode(text))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
