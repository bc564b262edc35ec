"""The loop and the module give the same numbers, so the same patterns prove the same."""

from autograder.records import Case, Inside


def _as_module(case):
    """The case as C2 would have seen it."""
    return Case(case.inputs, {"y": case.wanted["result"]}, {"y": case.got["result"]}, case.right)


PATTERNS = (Inside("c2_multi_head_attention", _as_module),)
