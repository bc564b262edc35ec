"""Cutting the learner's stub from a model answer."""

import pytest

from autograder.course.content import cut_stub
from autograder.course.errors import ContentError

SOLUTION = '''\
"""Lesson. The mark ### BEGIN SOLUTION in a text is no mark."""

import math  # solution only

import torch


def split(x):
    """Cut x (B, T, C)."""
    ### BEGIN SOLUTION
    B, T, C = x.shape

    return x  # (B, h, T, d)
    ### END SOLUTION


class Attention(torch.nn.Module):
    """Attend."""

    def __init__(self):
        super().__init__()
        ### BEGIN SOLUTION
        self.scale = math.sqrt(2)
        ### END SOLUTION

    def forward(self, x):
        if x is None:
            ### BEGIN SOLUTION
            return None
            ### END SOLUTION
        return x
'''

STUB = '''\
"""Lesson. The mark ### BEGIN SOLUTION in a text is no mark."""

import torch


def split(x):
    """Cut x (B, T, C)."""
    raise NotImplementedError("split is not written yet")


class Attention(torch.nn.Module):
    """Attend."""

    def __init__(self):
        super().__init__()
        raise NotImplementedError("Attention.__init__ is not written yet")

    def forward(self, x):
        if x is None:
            raise NotImplementedError("Attention.forward is not written yet")
        return x
'''


def test_blocks_become_one_line_each() -> None:
    """Every block gives way to one line that names its function or method, and marked imports are gone."""
    assert cut_stub(SOLUTION, "solution.py") == STUB


def test_windows_line_ends() -> None:
    """A solution saved by a Windows editor gives the same stub."""
    assert cut_stub(SOLUTION.replace("\n", "\r\n"), "solution.py") == STUB


def test_sloppy_marks_count() -> None:
    """A mark in another style still hides the answer, since overlooking it would hand the answer out."""
    stub = cut_stub("def f():\n    # begin solution\n    return 1\n    ##END  SOLUTION\n", "solution.py")
    assert stub == 'def f():\n    raise NotImplementedError("f is not written yet")\n'


def test_innermost_function_is_named() -> None:
    """In a function within a function the inner name counts, without the class around the outer one."""
    source = (
        "class A:\n    async def f(self):\n        def g():\n            ### BEGIN SOLUTION\n"
        "            return 1\n            ### END SOLUTION\n        return g\n"
    )
    assert "g is not written yet" in cut_stub(source, "solution.py")


def test_a_helper_inside_the_block_does_not_give_its_name() -> None:
    """A function defined inside the block goes with it; the block belongs to the function around it."""
    source = (
        "def f():\n    ### BEGIN SOLUTION\n    def g():\n        return 1\n\n    return g()\n    ### END SOLUTION\n"
    )
    assert cut_stub(source, "solution.py") == 'def f():\n    raise NotImplementedError("f is not written yet")\n'


def test_marked_imports_over_several_lines_and_inside_blocks() -> None:
    """A marked import goes as a whole, and one inside a block goes with the block."""
    source = (
        "from math import (\n    sqrt,\n    tau,\n)  # solution only\nimport os\n\n\ndef f():\n    ### BEGIN SOLUTION\n"
        "    import sys  # solution only\n    return sqrt(tau)\n    ### END SOLUTION\n    return os\n"
    )
    assert cut_stub(source, "solution.py") == (
        'import os\n\n\ndef f():\n    raise NotImplementedError("f is not written yet")\n    return os\n'
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f():\n    ### BEGIN SOLUTION\n    return 1\n", "s.py:2: the block that begins here never ends"),
        ("def f():\n    return 1\n    ### END SOLUTION\n", "s.py:3: a block ends here that never began"),
        (
            "def f():\n    ### BEGIN SOLUTION\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION\n",
            "s.py:3: a block begins inside the block that began on line 2",
        ),
        (
            "### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n",
            "s.py:1: a block must lie inside a function and hold some of its lines",
        ),
        (
            "class A:\n    ### BEGIN SOLUTION\n    x = 1\n    ### END SOLUTION\n",
            "s.py:2: a block must lie inside a function and hold some of its lines",
        ),
        (
            "def f():\n    ### BEGIN SOLUTION\n    ### END SOLUTION\n    return 1\n",
            "s.py:2: there is nothing between the marks",
        ),
        (
            "def f():\n    ### BEGIN SOLUTION\n    return 1\n\n\ndef g():\n    return 2\n    ### END SOLUTION\n",
            "s.py:2: the block must end inside 'f', with both marks indented like its lines",
        ),
        (
            "def f(a):\n    if a:\n        ### BEGIN SOLUTION\n        a = 1\n    return a\n    ### END SOLUTION\n",
            "s.py:3: the block must end inside 'f', with both marks indented like its lines",
        ),
        (
            "def f(a):\n    ### BEGIN SOLUTION\n    if a:\n        a = 1\n    ### END SOLUTION\n    else:\n"
            "        a = 2\n",
            "s.py:2: the block must end inside 'f', with both marks indented like its lines",
        ),
        (
            "def f():\n    x = 1  ### BEGIN SOLUTION\n    return x\n",
            "s.py:2: '### BEGIN SOLUTION' must stand on a line of its own",
        ),
        (
            "def f():\n    return 1\n",
            "s.py:1: nothing is marked with '### BEGIN SOLUTION', so the stub would hold the whole answer",
        ),
        (
            "x = 1  # solution only\n\n\ndef f():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION\n",
            "s.py:1: only an import can be marked '# solution only'",
        ),
        ("x = = 1\n", "s.py:1: is not valid Python: invalid syntax"),
        ("x = '\0'\n", "s.py: is not valid Python: source code string cannot contain null bytes"),
        (
            "def f():\n    import os  # solution only\n\n\ndef g():\n    ### BEGIN SOLUTION\n    return 1\n"
            "    ### END SOLUTION\n",
            "the stub of s.py:4: is not valid Python: expected an indented block after function definition on line 1",
        ),
    ],
)
def test_marks_that_do_not_hold(source: str, message: str) -> None:
    """Marks that would leak an answer or break the stub are refused with file and line."""
    with pytest.raises(ContentError) as caught:
        cut_stub(source, "s.py")
    assert str(caught.value) == message


def test_every_problem_is_listed() -> None:
    """All wrong marks of a file are reported at once, in the order of the file."""
    with pytest.raises(ContentError) as caught:
        cut_stub("### END SOLUTION\nx = 1\n### BEGIN SOLUTION\n", "s.py")
    assert caught.value.problems == (
        "s.py:1: a block ends here that never began",
        "s.py:3: the block that begins here never ends",
    )
