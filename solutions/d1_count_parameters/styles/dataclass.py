from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Projection:
    inputs: int
    outputs: int
    bias: bool

    @property
    def size(self) -> int:
        return self.inputs * self.outputs + int(self.bias) * self.outputs


def count_parameters(d_model: int, n_heads: int, bias: bool = False) -> int:
    qkv = Projection(d_model, 3 * d_model, bias)
    out = Projection(d_model, d_model, bias)
    return qkv.size + out.size
