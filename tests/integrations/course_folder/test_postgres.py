"""A gradebook in PostgreSQL: a server of its own for the test, in a folder that goes away with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.integrations.course_folder.conftest import (
    CARD,
    HEADCOUNT,
    HEAVIEST,
    K1,
    NAME,
    QUIZ,
    RIGHT,
    SCORES,
    TEXT,
    WRONG,
    Nbgrader,
    answered,
    hand_in,
)  # fmt: skip

psycopg = pytest.importorskip("psycopg", reason="the extra 'nbgrader' is not installed")
NOBODY = 65534


@pytest.fixture
def server() -> Iterator[Path]:
    """The folder of a running server, which is where its socket is; it listens to nothing else."""
    initdb = shutil.which("initdb") or next(iter(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb"))), None)
    if initdb is None:
        pytest.skip("PostgreSQL is not installed")
    bin, home = Path(initdb).parent, Path(tempfile.mkdtemp(prefix="pg"))
    as_nobody: list[str] = []
    if os.getuid() == 0:  # it refuses to run as root
        as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        os.chown(home, NOBODY, NOBODY)
    try:
        make = [*as_nobody, bin / "initdb", "-D", home / "data", "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8"]
        subprocess.run(make, check=True, capture_output=True, cwd="/")
        options = f"-k {home} -c listen_addresses= -c fsync=off"
        control = [*as_nobody, bin / "pg_ctl", "-D", home / "data", "-w", "-o", options, "-l", home / "log"]
        subprocess.run([*control, "start"], check=True, capture_output=True, cwd="/")
        try:
            yield home
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True, cwd="/")
    finally:
        shutil.rmtree(home, ignore_errors=True)


@pytest.mark.slow
def test_marks_in_postgresql(market: Path, server: Path, nbgrader: Nbgrader) -> None:
    """Made, written to twice, marked by a person, fed back and exported, as with a file."""
    url = f"postgresql+psycopg://postgres@/postgres?host={server}"
    folder = market / "class"

    def headcount(*arguments: str | Path) -> None:
        run = subprocess.run([*HEADCOUNT, *arguments], cwd=market, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr

    def scores() -> dict[tuple[str, str], tuple[float | None, float | None]]:
        with closing(psycopg.connect(f"host={server} user=postgres dbname=postgres")) as gradebook, gradebook:
            return {(student, cell): (auto, manual) for student, cell, auto, manual, *_ in gradebook.execute(SCORES)}

    headcount("nbgrader", "init", folder, "--db", url)
    assert not (folder / "gradebook.db").exists()
    hand_in(folder, "ada", answered(market, k1=RIGHT, k2=HEAVIEST, k4=CARD))
    hand_in(folder, "bo \N{GREEK SMALL LETTER ALPHA}", answered(market, k1=f"raise ValueError('a\\0b')\n{WRONG}"))
    headcount("grade", "--nbgrader", folder)
    assert scores()["ada", f"{K1}-check"] == (3.0, None)
    with closing(psycopg.connect(f"host={server} user=postgres dbname=postgres")) as gradebook, gradebook:
        gradebook.execute(
            "update grade set manual_score = 2, needs_manual_grade = false from base_cell "
            "where base_cell.id = cell_id and base_cell.name = %s and auto_score is null",
            [TEXT],
        )
        gradebook.commit()
    hand_in(folder, "ada", answered(market, k1=WRONG, k2=HEAVIEST, k4=CARD))
    headcount("grade", "--nbgrader", folder, "--db", url)
    found = scores()
    assert found["ada", f"{K1}-check"] == (0.0, None)
    assert found["ada", TEXT] == (None, 2.0)
    assert found["ada", f"{QUIZ}-check"] == (0.0, None)
    nbgrader("generate_feedback", NAME, cwd=folder)
    assert len(list((folder / "feedback").rglob("*.html"))) == 2
    nbgrader("export", "--to", "grades.csv", cwd=folder)
    assert ",ada,,,,4,0,4,14" in (folder / "grades.csv").read_text("utf-8")
