"""Plain data, the only kind that crosses between the grader and a worker, and the arrays in it.

Apart from the other records because a worker needs nothing else of them, and they take longer to define than to use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Library: TypeAlias = Literal["numpy", "torch"]
Plain: TypeAlias = "bool | int | float | str | bytes | Array | list[Plain] | dict[str, Plain] | None"

#: dtypes that may cross the process boundary, with their size in bytes. The order is the wire's code: append only.
DTYPES: dict[str, int] = {
    "float32": 4, "float64": 8, "float16": 2, "bfloat16": 2,
    "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint8": 1, "bool": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Array:
    """A dense tensor as plain data: raw little-endian bytes in C order, the way it crosses the process boundary.

    ``library`` says whether the owner sees a NumPy array or a torch tensor. ``len(data)`` is the product of ``shape``
    times the size of ``dtype``; the wire refuses anything else.
    """

    dtype: str
    shape: tuple[int, ...]
    data: bytes
    library: Library = "numpy"
    requires_grad: bool = False

    def numpy(self) -> np.ndarray[Any, Any]:
        """The values as a read-only NumPy array; bfloat16 (which NumPy lacks) widens to float32 without loss."""
        import numpy as np

        if self.dtype == "bfloat16":
            wide = np.frombuffer(self.data, "<u2").astype("<u4") << 16
            return wide.view("<f4").reshape(self.shape)
        return np.frombuffer(self.data, np.dtype(self.dtype).newbyteorder("<")).reshape(self.shape)

    @classmethod
    def of(cls, values: Any, dtype: str | None = None, library: Library = "numpy") -> Array:
        """From anything NumPy can read. ``dtype="bfloat16"`` rounds float32 values to nearest even.

        Raises ValueError for a dtype that may not cross the boundary.
        """
        import numpy as np

        array = np.asarray(values)
        if dtype == "bfloat16":
            bits = np.ascontiguousarray(array, "<f4").view("<u4").astype("<u8")
            rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")
            return cls("bfloat16", array.shape, rounded.tobytes(), library)
        array = array.astype(dtype) if dtype else array
        if array.dtype.name not in DTYPES:
            raise ValueError(f"dtype {array.dtype} cannot cross to the worker; use one of {', '.join(DTYPES)}")
        return cls(array.dtype.name, array.shape, array.astype(array.dtype.newbyteorder("<")).tobytes(), library)


def as_numpy(value: Plain) -> Any:
    """Plain data with every `Array` in it as a NumPy array."""
    if isinstance(value, Array):
        return value.numpy()
    if isinstance(value, list):
        return [as_numpy(item) for item in value]
    if isinstance(value, dict):
        return {key: as_numpy(item) for key, item in value.items()}
    return value


def as_plain(value: Any) -> Plain:
    """Plain data for what a probe or callback holds: NumPy arrays become `Array`, and tuples lists."""
    if isinstance(value, (list, tuple)):
        return [as_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: as_plain(item) for key, item in value.items()}
    return Array.of(value) if hasattr(value, "dtype") and not isinstance(value, Array) else value


def clean(text: Plain, cap: int = 2000) -> str:
    """Text from a worker, safe to print: no control characters, no length without bound."""
    shown = text[:cap] if isinstance(text, str) else ""
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in shown)
