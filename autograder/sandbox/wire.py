"""The wire: how plain data crosses between the grader and a worker.

A frame is 4 bytes of magic, a little-endian u32 length and that many bytes of payload. A payload is one value: a tag
byte, then fixed-width fields. Only the types of `records.Plain` exist, so nothing that arrives can run code or hold a
reference.

`decode` is written for hostile bytes. Whatever they are, it returns plain data or raises `WireError`, in time and
memory proportional to their length.
"""

from __future__ import annotations

import struct
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Final

from autograder.plain import DTYPES, Array, Library, Plain

MAGIC: Final = b"MHA1"
HEADER: Final = struct.Struct("<4sI")
MAX_FRAME: Final = 16 << 20
MAX_DEPTH: Final = 6
MAX_ITEMS: Final = 4096
MAX_TEXT: Final = 1 << 20
MAX_AXES: Final = 8

_NAMES: Final = tuple(DTYPES)
_CODES: Final = {name: code for code, name in enumerate(_NAMES)}
_LIBRARIES: Final[tuple[Library, ...]] = ("numpy", "torch")
_TENSOR: Final = struct.Struct("<BBBB")  # dtype code, axes, library code, requires_grad
_U32: Final = struct.Struct("<I")
_I64: Final = struct.Struct("<q")
_F64: Final = struct.Struct("<d")
_CALLABLE: Final = (FunctionType, BuiltinFunctionType, MethodType)
_TOO_SHORT: Final = "the value ends too early"
_NUMBER: Final = b"S" + _U32.pack(6) + b"number" + b"I"  # how an entry begins that holds a question's number


class WireError(ValueError):
    """Raised when bytes are not exactly one well-formed value."""


class Unsendable(TypeError):
    """Raised when a value is not plain data or is too large; the message says what it is."""


def frame(value: Plain) -> bytes:
    """One value as a complete frame. Raises Unsendable where it is not plain or does not fit."""
    payload = encode(value)
    if len(payload) > MAX_FRAME:
        raise Unsendable(f"{len(payload)} bytes, more than the {MAX_FRAME} that fit into one message")
    return HEADER.pack(MAGIC, len(payload)) + payload


def numbered(body: bytes, number: int) -> bytes:
    """A frame for the encoded dict `body` with one entry more: the number of its question."""
    (count,) = _U32.unpack(body[1:5])
    payload = b"".join((b"D", _U32.pack(count + 1), _NUMBER, _I64.pack(number), body[5:]))
    if len(payload) > MAX_FRAME:
        raise Unsendable(f"{len(payload)} bytes, more than the {MAX_FRAME} that fit into one message")
    return HEADER.pack(MAGIC, len(payload)) + payload


def payload_length(header: bytes) -> int:
    """The length announced by 8 header bytes. Raises WireError on wrong magic; the caller checks the length."""
    magic, length = HEADER.unpack(header)
    if magic != MAGIC:
        raise WireError("not a frame")
    return int(length)


def encode(value: Plain) -> bytes:
    """The payload for one value. Raises Unsendable, naming the type, for anything that is not plain data."""
    out: list[bytes] = []
    _write(value, out, 0)
    return b"".join(out)


def _write(value: Plain, out: list[bytes], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise Unsendable("data nested too deeply")
    kind = type(value)
    if value is None:
        out.append(b"N")
    elif value is True or value is False:
        out.append(b"1" if value else b"0")
    elif isinstance(value, int) and kind is int:
        if not -(1 << 63) <= value < 1 << 63:
            raise Unsendable("an integer beyond 64 bits")
        out.append(b"I" + _I64.pack(value))
    elif isinstance(value, float) and kind is float:
        out.append(b"F" + _F64.pack(value))
    elif isinstance(value, str) and kind is str:
        text = value.encode("utf-8", "replace")
        if len(text) > MAX_TEXT:
            raise Unsendable(f"a string of {len(text)} bytes")
        out.append(b"S" + _U32.pack(len(text)) + text)
    elif isinstance(value, bytes) and kind is bytes:
        out.append(b"B" + _U32.pack(len(value)) + value)
    elif isinstance(value, Array) and kind is Array:
        _write_array(value, out)
    elif isinstance(value, list) and kind is list:
        if len(value) > MAX_ITEMS:
            raise Unsendable(f"a list of {len(value)} items")
        out.append(b"L" + _U32.pack(len(value)))
        for item in value:
            _write(item, out, depth + 1)
    elif isinstance(value, dict) and kind is dict:
        if len(value) > MAX_ITEMS:
            raise Unsendable(f"a dict of {len(value)} items")
        out.append(b"D" + _U32.pack(len(value)))
        for key, item in value.items():
            if type(key) is not str:
                raise Unsendable("a dict whose keys are not strings")
            _write(key, out, depth + 1)
            _write(item, out, depth + 1)
    else:
        raise Unsendable(object_of(kind))


def object_of(kind: type) -> str:
    """What to call a value that is not plain, whatever its class says of itself."""
    if kind in _CALLABLE:
        return "a function that was not called (are its parentheses missing?)"
    try:
        return f"an object of type {kind.__module__}.{kind.__qualname__}"[:200]
    except Exception:
        return "an object of a type without a name"


def _write_array(value: Array, out: list[bytes]) -> None:
    if value.dtype not in _CODES:
        raise Unsendable(f"a tensor of dtype {value.dtype}")
    if len(value.shape) > MAX_AXES:
        raise Unsendable(f"a tensor with {len(value.shape)} axes")
    head = _TENSOR.pack(
        _CODES[value.dtype], len(value.shape), _LIBRARIES.index(value.library), int(value.requires_grad)
    )
    out += [b"T", head, struct.pack(f"<{len(value.shape)}q", *value.shape), value.data]


def decode(data: bytes) -> Plain:
    """The one value that `data` holds. Raises WireError for anything else, however the bytes were made."""
    reader = _Reader(data)
    try:
        value = reader.value(0)
    except struct.error:  # a field of fixed width does not fit into what is left
        raise WireError(_TOO_SHORT) from None
    if reader.at != len(data):
        raise WireError("bytes after the value")
    return value


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.items = data, 0, 0

    def take(self, count: int) -> bytes:
        start, self.at = self.at, self.at + count
        if self.at > len(self.data):
            raise WireError(_TOO_SHORT)
        return self.data[start : self.at]

    def count(self, most: int) -> int:
        (count,) = _U32.unpack_from(self.data, self.at)
        self.at += 4
        if count > most:
            raise WireError("a count beyond its cap")
        return int(count)

    def value(self, depth: int) -> Plain:
        self.items += 1
        if depth > MAX_DEPTH or self.items > 2 * MAX_ITEMS:
            raise WireError("too deep or too many items")
        tag, self.at = self.data[self.at : self.at + 1], self.at + 1
        if tag == b"S":
            return self.text()
        if tag == b"I":
            (number,) = _I64.unpack_from(self.data, self.at)
            self.at += 8
            return int(number)
        if tag == b"T":
            return self.array()
        if tag == b"L":
            return [self.value(depth + 1) for _ in range(self.count(MAX_ITEMS))]
        if tag == b"D":
            return self.mapping(depth + 1)
        if tag == b"F":
            (real,) = _F64.unpack_from(self.data, self.at)
            self.at += 8
            return float(real)
        if tag == b"N":
            return None
        if tag == b"B":
            return self.take(self.count(MAX_FRAME))
        if tag in (b"0", b"1"):
            return tag == b"1"
        raise WireError("an unknown tag" if tag else _TOO_SHORT)

    def mapping(self, depth: int) -> dict[str, Plain]:
        found: dict[str, Plain] = {}
        for _ in range(self.count(MAX_ITEMS)):
            tag, self.at, self.items = self.data[self.at : self.at + 1], self.at + 1, self.items + 1
            if tag != b"S" or (key := self.text()) in found:
                raise WireError("a dict key that is no string or stands twice")
            found[key] = self.value(depth)
        return found

    def text(self) -> str:
        try:
            return str(self.take(self.count(MAX_TEXT)), "utf-8")
        except UnicodeDecodeError:
            raise WireError("text that is not UTF-8") from None

    def array(self) -> Array:
        code, axes, library, grad = _TENSOR.unpack(self.take(4))
        if code >= len(_NAMES) or axes > MAX_AXES or library >= len(_LIBRARIES) or grad > 1:
            raise WireError("a tensor header out of range")
        shape: tuple[int, ...] = struct.unpack(f"<{axes}q", self.take(8 * axes))
        size = extent = 1
        for dim in shape:
            # The extent ignores zeros: an empty tensor with astronomic other axes must not pass as small.
            if not 0 <= dim <= 1 << 31 or (extent := extent * max(dim, 1)) > 1 << 31:
                raise WireError("a tensor too large to exist")
            size *= dim
        data = self.take(size * DTYPES[_NAMES[code]])
        if _NAMES[code] == "bool" and data.translate(None, b"\0\1"):
            raise WireError("it holds a bool that is neither True nor False, as memory does that was never written")
        return Array(_NAMES[code], shape, data, _LIBRARIES[library], bool(grad))
