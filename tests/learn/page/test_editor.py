"""The editor's bundle belongs to its source, and its licences come with it."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from autograder.learn.page.app import STATIC

SOURCE = STATIC.parent / "editor"


def test_the_bundle_is_built_from_what_lies_beside_it() -> None:
    """Whoever changes the editor, or a version of what it is made of, has built it anew (its README.md)."""
    digest = sha256(b"".join((SOURCE / name).read_bytes() for name in ("editor.mjs", "package-lock.json"))).hexdigest()
    assert f"Built from editor/, {digest}." in (STATIC / "editor.js").read_text("utf-8")[:200]


def test_all_licences_are_there() -> None:
    """Every package that could be in the bundle is named with its version, and nothing is fetched from elsewhere."""
    told = (STATIC / "editor.LICENSES.txt").read_text("utf-8")
    packages = json.loads((SOURCE / "package-lock.json").read_text("utf-8"))["packages"]
    for path, package in packages.items():
        name = Path(path).as_posix().removeprefix("node_modules/")
        if name.startswith(("@codemirror/", "@lezer/")):
            assert f"{name} {package['version']}\n" in told
    for script in ("editor.js", "page.js"):
        assert "//cdn" not in (STATIC / script).read_text("utf-8")
        assert "eval(" not in (STATIC / script).read_text("utf-8")
