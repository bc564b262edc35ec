"""Which files may share a worker with the other exercises of their upload."""

from __future__ import annotations

import ast
import importlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from autograder.sandbox.harmless import IMPORTS, harmless, reaches
from tests.conftest import ROOT

USUAL = sorted((ROOT / "solutions").glob("*/solution.py"))

DISTURBING = {
    "a patched function": "import torch\ntorch.softmax = len",
    "a patched method": "import torch\ntorch.Tensor.view = len",
    "a patched class by another name": "from torch.nn import Linear as L\nL.forward = len",
    "a patch in a function": "import numpy as np\ndef f(x):\n    np.tri = len",
    "a patch through self of another class": "import torch\nclass A:\n    def f(this):\n        self.x = 1",
    "setattr": "import torch\nsetattr(torch, 'softmax', len)",
    "a default dtype": "import torch\ntorch.set_default_dtype(torch.float64)",
    "a setting imported by name": "from torch import set_default_dtype as s\ns(1)",
    "a setting of NumPy": "import numpy as np\nnp.seterr(all='raise')",
    "a backend's setting": "import torch\ntorch.backends.mkldnn.flags(False)",
    "sys.modules": "import sys\nsys.modules['x'] = 1",
    "builtins": "import builtins\nbuiltins.x = 1",
    "builtins without import": "__builtins__['x'] = 1",
    "exec": "exec('import sys')",
    "eval": "eval('1')",
    "globals of another module": "import math\nmath.__dict__['pi'] = 3",
    "vars": "import math\nvars(math)['pi'] = 3",
    "a hook on all modules": "from torch.nn.modules.module import register_module_forward_hook",
    "a private part": "import torch\ntorch._C._nn",
    "a thread": "import threading",
    "the environment": "import os",
    "a relative import": "from . import a1_causal_mask",
    "an item of somebody's attribute": "import numpy as np\nnp.core.numeric.x[0] = 1",
    "a deleted name": "import math\ndel math.pi",
    "a method called through its class": "import torch\nclass A:\n    def f(self):\n        self.x = 1\nA.f(torch)",
    "a class under another name": "import torch\nclass A:\n    def f(self):\n        self.x = 1\nB = A\nB.f(torch)",
    "self bound anew": "import torch\nclass A:\n    def f(self):\n        for self in [torch]:\n            self.x = 1",
    "self of an inner function": (
        "import torch\nclass A:\n    def f(self):\n        def g(self):\n            self.x = 1\n        g(torch)"
    ),
    "a method called in the class body": "import torch\nclass A:\n    def f(self):\n        self.x = 1\n    f(torch)",
    "getattr": "import torch\ngetattr(torch, 'set_grad_enabled')(False)",
    "a method by name": "import operator\noperator.methodcaller('set_grad_enabled', False)",
    "annotations evaluated": "import typing\ntyping.get_type_hints(f)",
    "a generator that stops inside with": "import torch\ndef g():\n    with torch.no_grad():\n        yield 1",
    "a wrapper put over": "import functools, torch\nfunctools.update_wrapper(torch.Tensor, f)",
    "the type of an instance": "import torch\ntype(torch.ones(1)).view = len",
    "a dict of the library emptied": "import numpy as np\nnp.sctypeDict.clear()",
    "the same by another name": "from numpy import sctypeDict as d\nd.update(float32=int)",
    "a module that a library has imported": "import torch\ntorch.warnings.simplefilter('error')",
    "the builtins that a library has imported": "import enum\nenum.bltns.len = len",
    "a decorator called on a class of the library": "import dataclasses, torch\ndataclasses.dataclass(torch.nn.Linear)",
    "the same with arguments": "import torch\nfrom dataclasses import dataclass\ndataclass(eq=False)(torch.nn.Linear)",
    "a decorator handed on": "import torch\nfrom typing import final\nlist(map(final, [torch.nn.Linear]))",
    "a decorator under another name": "import torch\nfrom typing import final as f\nf(torch.nn.Linear)",
    "a class declared to be another": "import numbers\nnumbers.Integral.register(str)",
    "the builtins among its own names": "locals()['__builtins__']['len'] = sum",
    "the frame of a paused generator": "b = (x for x in []).gi_frame.f_builtins\nb['len'] = sum",
    "an attribute matched by a pattern": (
        "import torch\nmatch torch:\n    case object(__dict__=d):\n        d['relu'] = len"
    ),
    "an attribute found by a format": "import string, torch\nstring.Formatter().get_field('0.__dict__', [torch], {})",
    "all names of a module": "from typing import *\nget_type_hints(f)",
    "what copy asks": (
        "import torch\nclass A:\n    def __reduce__(self):\n        return (lambda: torch), (), ({}, {'relu': len})"
    ),
    "the same as an attribute": "class A:\n    __reduce__ = len",
    "a class made of strings": "import dataclasses\ndataclasses.make_dataclass('A', [], namespace={'__reduce__': len})",
    "a module's name as one's own": (
        "import enum\n__name__ = 'torch'\n@enum.global_enum\nclass E(enum.Enum):\n    relu = 1"
    ),
    "somebody's memory": "class A:\n    __array_interface__ = {'data': (0, False), 'shape': (1,), 'typestr': '<f4'}",
    "bytes that many share": "import torch\ntorch.frombuffer(b'N', dtype=torch.uint8).fill_(0)",
    "a state loaded into a module": (
        "import torch\ntorch.optim.lr_scheduler.LRScheduler.load_state_dict(torch, {'relu': len})"
    ),
    "a class made to initialise another": "import collections, torch\ncollections.UserList.__init__(torch.Tensor, [1])",
    "a pickle": "import torch\ntorch.load(path, weights_only=False)",
    "a pickle with what a dict says": "import torch\ntorch.load(path, **{'weights_only': False})",
    "a pickle by another name": "import numpy as np\nread = np.load\nread(path, allow_pickle=True)",
    "a decorator around another": (
        "import dataclasses, torch\n@dataclasses.dataclass\n@(lambda c: torch.nn.Linear)\nclass A: pass"
    ),
    "a decorator around a metaclass": (
        "import dataclasses, torch\n@dataclasses.dataclass\nclass A(metaclass=lambda *a: torch.nn.Linear): pass"
    ),
    "self made by a class": (
        "import torch\nclass A:\n    def f(self):\n        @(lambda c: torch)\n"
        "        class self: pass\n        self.relu = 1"
    ),
    "self made by a function": (
        "import torch\nclass A:\n    def f(self):\n        @(lambda c: torch)\n"
        "        def self(): pass\n        self.relu = 1"
    ),
    "a method in a list": "import torch\nclass A:\n    def f(self):\n        self.x = 1\n    g = [f]\nA().g[0](torch)",
    "a method called for a default": (
        "import torch\nclass A:\n    def f(self):\n        self.x = 1\n    def g(self, x=f(torch)): pass"
    ),
    "a method reduced": (
        "import functools, torch\nclass A:\n    def f(self, x):\n"
        "        self.x = 1\n    y = functools.reduce(f, [torch, 1])"
    ),
    "subclasses": "().__class__.__base__.__subclasses__()",
}


@pytest.mark.parametrize("path", USUAL, ids=lambda path: path.parent.name)
def test_usual_answers_share(path: object) -> None:
    """Functions and modules written in the usual way can be seen not to disturb anybody."""
    assert harmless(ast.parse(path.read_text("utf-8")))  # type: ignore[attr-defined]


@pytest.mark.parametrize("source", DISTURBING.values(), ids=DISTURBING)
def test_what_reaches_beyond_its_file_does_not(source: str) -> None:
    """Whatever could change what another file finds runs alone."""
    assert not harmless(ast.parse(source))


@pytest.mark.filterwarnings("ignore")
def test_no_public_name_leads_to_what_everybody_shares() -> None:
    """Along names that a file may use, no module but the allowed ones is found, no list or dict to be changed,
    and no class that makes classes.

    (The random module is found; its state is set anew before every call.)
    """
    torch = pytest.importorskip("torch")
    allowed = [importlib.import_module(name) for name in sorted(IMPORTS - {"einops"})]
    seen, found = set[int](), []
    waiting: list[tuple[str, Any]] = [(module.__name__, module) for module in allowed]
    while waiting:
        path, thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        foreign = isinstance(thing, ModuleType) and thing.__name__.partition(".")[0] not in IMPORTS | {"random"}
        makes_classes = isinstance(thing, type) and issubclass(thing, type)
        if foreign or makes_classes or isinstance(thing, (list, dict, set, bytearray, np.ndarray, torch.Tensor)):
            found.append(path)
        elif isinstance(thing, (ModuleType, type)):
            waiting += [(f"{path}.{name}", getattr(thing, name, None)) for name in dir(thing) if not reaches(name)]
    assert found == []


def test_a_decorator_of_one_s_own_classes_shares() -> None:
    """@dataclass is an everyday thing."""
    source = "from dataclasses import dataclass\nimport typing\n@dataclass(frozen=True)\n@typing.final\nclass A: pass\n"
    assert harmless(ast.parse(source))


def test_a_checkpoint_of_numbers_may_be_loaded() -> None:
    """torch.load runs nothing of what a file says, unless it is asked to."""
    assert harmless(ast.parse("import torch\nstate = torch.load(path, map_location='cpu', weights_only=True)"))


def test_a_module_may_keep_things_in_itself() -> None:
    """self.x = ..., buffers and caches of one's own are nobody else's."""
    source = """
import torch
class M(torch.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.out = torch.nn.Linear(d, d)
        self.register_buffer("mask", torch.ones(d, d))
        self.cache = {}
    def forward(self, x):
        self.cache[x.shape] = self._helper(x)
        x[0] = 1
        return self.out(x).add_(1)
    def _helper(self, x):
        return x
"""
    assert harmless(ast.parse(source))
