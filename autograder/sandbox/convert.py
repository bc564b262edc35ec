"""Between what a learner's code holds and plain data, on the worker's side of the boundary."""

from __future__ import annotations

import sys
import types
from typing import Any

from autograder.plain import DTYPES, Array, Library, Plain
from autograder.sandbox import wire


def to_plain(value: Any) -> Plain:
    """Plain data for what came back. Raises Unsendable, naming the type, for anything else."""
    return _Converter().plain(value, 0)


class _Converter:
    """Turns one value into plain data, and stops as soon as it holds more than fits into an answer."""

    def __init__(self) -> None:
        self.items = 0

    def plain(self, value: Any, depth: int) -> Plain:
        """Plain data for a value this deep inside; see `to_plain`."""
        kind = type(value)
        if value is None or kind in (bool, int, float, str, bytes, Array):
            return value  # type: ignore[no-any-return]
        if isinstance(value, (list, tuple)):
            return [self.plain(item, depth + 1) for item in self._counted(value, depth)]
        if kind is dict:
            pairs = self._counted(value.items(), depth)
            return {str(key) if type(key) is int else key: self.plain(item, depth + 1) for key, item in pairs}
        torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
        if torch and issubclass(kind, torch.Tensor) and kind.__torch_dispatch__ is torch.Tensor.__torch_dispatch__:
            with torch._C.DisableTorchFunctionSubclass():  # whatever a subclass says, its numbers are what counts
                return _from_torch(torch, value)
        if numpy and issubclass(kind, numpy.ndarray) and not issubclass(kind, numpy.ma.MaskedArray):
            plain = numpy.ndarray.view(value, numpy.ndarray)
            if plain.dtype.name not in DTYPES:
                raise wire.Unsendable(f"a NumPy array of dtype {plain.dtype}")
            return Array.of(plain)
        if numpy and issubclass(kind, numpy.generic) and type(inner := value.item()) in (bool, int, float, str, bytes):
            return inner  # type: ignore[no-any-return]
        if kind is types.CoroutineType:
            raise wire.Unsendable("a coroutine (is there an async too many?)")
        raise wire.Unsendable(wire.object_of(kind))

    def _counted(self, items: Any, depth: int) -> Any:
        """The items of a list or dict, as many as are allowed. Raises Unsendable for one more, or too deep inside."""
        if depth > wire.MAX_DEPTH:
            raise wire.Unsendable("data nested too deeply")
        if len(items) > wire.MAX_ITEMS:
            raise wire.Unsendable(f"a collection of {len(items)} items")
        for item in items:
            self.items += 1
            if self.items > 2 * wire.MAX_ITEMS:
                raise wire.Unsendable(f"more than {2 * wire.MAX_ITEMS:,} items in lists of lists")
            yield item


def _from_torch(torch: Any, value: Any) -> Array:
    try:
        return _dense(torch, torch.Tensor.as_subclass(value, torch.Tensor))
    except RuntimeError as problem:  # nested, of a transform that has ended, or without any memory behind it
        raise wire.Unsendable(f"a tensor whose numbers cannot be read ({str(problem)[:150]})") from None


def _dense(torch: Any, tensor: Any) -> Array:
    name = str(tensor.dtype).removeprefix("torch.")
    if tensor.layout is not torch.strided:
        raise wire.Unsendable(f"a {tensor.layout} tensor, where a dense one is wanted")
    if tensor.device.type != "cpu":
        raise wire.Unsendable(f"a tensor on the device {tensor.device}")
    if name not in DTYPES:
        raise wire.Unsendable(f"a tensor of dtype {name}")
    if tensor.numel() * DTYPES[name] > wire.MAX_FRAME:
        raise wire.Unsendable(f"a tensor of shape {tuple(tensor.shape)}, too large to send")
    dense = tensor.detach().resolve_conj().resolve_neg().contiguous()
    data = dense.view(-1).view(torch.uint8).numpy().tobytes() if dense.numel() else b""
    return Array(name, tuple(tensor.shape), data, "torch", bool(tensor.requires_grad))


def from_plain(value: Plain, library: Library, scattered: bool = False) -> Any:
    """What a probe sends, as the learner meets it: arrays of the library in use, everything else as it is."""
    if isinstance(value, list):
        return [from_plain(item, library) for item in value]
    if isinstance(value, dict):
        return {key: from_plain(item, library) for key, item in value.items()}
    if not isinstance(value, Array):
        return value
    if library == "numpy":
        import numpy

        return numpy.frombuffer(bytearray(value.data), value.dtype).reshape(value.shape)
    import torch

    dtype = getattr(torch, value.dtype)
    if not value.data:
        return torch.empty(value.shape, dtype=dtype)
    tensor = torch.frombuffer(bytearray(value.data), dtype=dtype).reshape(value.shape)
    if scattered:
        wide = torch.cat([tensor, tensor, tensor], dim=-1)
        return wide[..., : tensor.shape[-1]]
    return tensor
