"""What the build puts into a wheel beside the engine: the course that `headcount init` lays out.

An installation from a clone finds the course in the clone. It gets no copy, which would grow old and lie where a worker
may read.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARTS = ("course.yaml", "solutions", "checkpoints", "docs/learner.md", "docs/lessons")


class CarryCourse(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the course to every wheel but an editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by the build before it collects files."""
        if version != "editable":
            build_data["force_include"] |= {part: f"autograder/carried/{part}" for part in PARTS}
