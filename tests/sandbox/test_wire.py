"""The wire carries plain data unchanged, and no bytes whatever do worse than be refused."""

from __future__ import annotations

import math
import random
import struct
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.records import DTYPES, Array, Plain
from autograder.sandbox import wire
from autograder.sandbox.wire import MAX_DEPTH, MAX_ITEMS, Unsendable, WireError, decode, encode

FUZZED_FRAMES = 20_000


@st.composite
def arrays(draw: st.DrawFn) -> Array:
    """A small array of any dtype that may cross, empty ones among them."""
    dtype = draw(st.sampled_from(list(DTYPES)))
    shape = tuple(draw(st.lists(st.integers(0, 3), max_size=4)))
    size = math.prod(shape) * DTYPES[dtype]
    data = draw(st.binary(min_size=size, max_size=size))
    if dtype == "bool":
        data = bytes(byte & 1 for byte in data)
    return Array(dtype, shape, data, draw(st.sampled_from(["numpy", "torch"])), draw(st.booleans()))


SCALARS = (
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.binary(max_size=20) | arrays()
)  # fmt: skip
VALUES: st.SearchStrategy[Plain] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc"), inner, max_size=4),
    max_leaves=8,
).filter(lambda value: _depth(value) <= MAX_DEPTH)


def _depth(value: Plain) -> int:
    inner = value if isinstance(value, list) else [*value.values(), 0] if isinstance(value, dict) else []
    return 1 + max(map(_depth, inner)) if inner else 0


@given(VALUES)
def test_what_is_sent_arrives(value: Plain) -> None:
    """Decoding gives back what was encoded."""
    assert decode(encode(value)) == value


@given(VALUES)
def test_nothing_shorter_is_accepted(value: Plain) -> None:
    """A payload cut short anywhere, or with a byte behind it, is refused."""
    payload = encode(value)
    for end in range(len(payload)):
        with pytest.raises(WireError):
            decode(payload[:end])
    with pytest.raises(WireError):
        decode(payload + b"N")


@given(st.binary(max_size=200))
@settings(max_examples=500)
def test_any_bytes_are_data_or_refused(data: bytes) -> None:
    """Arbitrary bytes either are one plain value, and then the only spelling of it, or a WireError."""
    try:
        value = decode(data)
    except WireError:
        return
    assert encode(value) == data


def test_mutated_frames_are_data_or_refused() -> None:
    """Twenty thousand damaged answers: each is plain data, spelled as we would, or a WireError."""
    chance = random.Random(20)
    seeds = [encode(value) for value in _answers()]
    accepted = 0
    for _ in range(FUZZED_FRAMES):
        data = _damaged(chance, chance.choice(seeds), seeds)
        try:
            value = decode(data)
        except WireError:
            continue
        accepted += 1
        assert encode(value) == data
    assert FUZZED_FRAMES / 100 < accepted < FUZZED_FRAMES


def _answers() -> list[Plain]:
    matrix = Array.of([[1.0, 2.0], [3.0, 4.0]], "float32", "torch")
    mask = Array("bool", (2, 3), b"\0\1\1\0\0\1")
    return [
        {"outcome": "returned", "parts": {"result": matrix}, "inputs": {"T": 5}, "number": 1 << 40},
        {"outcome": "raised", "type": "ValueError", "message": "é", "frames": [[3, "f", "x = 1"]], "number": 7},
        {"outcome": "asks", "name": "mha", "arguments": [mask, None, True, 0.5, b"raw"], "number": -1},
        [[[[[[1]]]]]],
        Array("int64", (0, 4), b""),
        "",
    ]


def _damaged(chance: random.Random, payload: bytes, seeds: list[bytes]) -> bytes:
    data = bytearray(payload)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[place : place + chance.randint(1, 8)]
            case 2:
                data[place:place] = chance.randbytes(chance.randint(1, 8))
            case 3:  # a count or an axis, larger than anything
                extreme = chance.choice([0, 1, 1 << 31, (1 << 32) - 1, 1 << 62, -1])
                data[place : place + 8] = struct.pack("<q", extreme)
            case 4:
                data[place : place + 1] = chance.choice(b"N01IFSBTLD").to_bytes(1, "little")
            case _:
                other = chance.choice(seeds)
                data[place:] = other[chance.randrange(len(other)) :]
    return bytes(data)


@pytest.mark.parametrize(
    "payload",
    [
        b"T" + struct.pack("<BBBB5q", 9, 5, 1, 0, 0, *[1 << 31] * 4),
        b"T" + struct.pack("<BBBB2q", 0, 2, 0, 0, 1 << 31, 1 << 31),
        b"T" + struct.pack("<BBBBq", 0, 1, 0, 0, -1),
        b"T" + struct.pack("<BBBBq", 0, 1, 0, 0, 1 << 29),
        b"T" + struct.pack("<BBBB", 99, 0, 0, 0),
        b"T" + struct.pack("<BBBB", 0, 200, 0, 0),
        b"T" + struct.pack("<BBBB", 9, 0, 0, 0) + b"\2",
        b"L" + struct.pack("<I", (1 << 32) - 1),
        b"L" + struct.pack("<I", MAX_ITEMS) + b"L\0\0\0\0" * 10,
        b"L\1\0\0\0" * 100_000,
        b"B" + struct.pack("<I", (1 << 32) - 1),
        b"S\2\0\0\0\xff\xff",
        b"D\1\0\0\0NN",
        b"D\2\0\0\0" + b"S\1\0\0\0aN" * 2,
    ],
)
def test_hostile_payloads_are_refused_cheaply(payload: bytes) -> None:
    """Announcing much costs the sender nothing and us neither memory nor a crash."""
    tracemalloc.start()
    try:
        with pytest.raises(WireError):
            decode(payload)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (object(), "an object of type builtins.object"),
        ([].sort, "a function that was not called"),
        (print, "a function that was not called"),
        (1 << 63, "an integer beyond 64 bits"),
        ({1: 2}, "a dict whose keys are not strings"),
        ([0] * (MAX_ITEMS + 1), "a list of 4097 items"),
        ([[[[[[[[0]]]]]]]], "data nested too deeply"),
        (Array("complex64", (), b"\0" * 8), "a tensor of dtype complex64"),
        (Array("bool", (1,) * 9, b"\0"), "a tensor with 9 axes"),
        (type("Five", (int,), {})(5), "an object of type"),
    ],
)
def test_what_cannot_be_sent_says_why(value: Plain, reason: str) -> None:
    """Only plain data is sent, and never a subclass in its place."""
    with pytest.raises(Unsendable, match=reason):
        encode(value)


def test_a_frame_has_magic_and_length() -> None:
    """The header announces the payload, and nothing with another beginning is a frame."""
    framed = wire.frame("hello")
    assert wire.payload_length(framed[: wire.HEADER.size]) == len(framed) - wire.HEADER.size
    with pytest.raises(WireError):
        wire.payload_length(b"GET / HT")
