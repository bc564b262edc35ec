"""The labelled corpus: answers in many styles, right and wrong, each graded like a learner's.

MANIFEST.tsv gives file, the name it defines, and the slug of its misconception: "unlisted" where the course has no name
for it, nothing for a right answer.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course.load import load_course
from bench import judgement
from bench.judgement import ALONE, FALSE_ACCEPT, FALSE_REJECT, UNLISTED, WRONG_NAME, Measured, measure, tables
from bench.measure import Failed
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def measured() -> Measured:
    """The corpus, graded once."""
    return measure(load_course(ROOT), judgement.CORPUS)


def _files(measured: Measured, outcome: str) -> list[str]:
    return [f"{each.file}: {each.result.message}" for each in measured.files if each.outcome == outcome]


@pytest.mark.slow
def test_every_right_answer_gets_full_points(measured: Measured) -> None:
    """No correct style loses a point or is named."""
    assert _files(measured, FALSE_REJECT) == []


@pytest.mark.slow
def test_no_wrong_answer_passes(measured: Measured) -> None:
    """Every wrong answer loses points."""
    assert _files(measured, FALSE_ACCEPT) == []
    assert [each.file for each in measured.files if each.slug and each.result.points >= each.result.max_points] == []


@pytest.mark.slow
def test_no_wrong_name(measured: Measured) -> None:
    """Where misconceptions are named, the true one is among them, and it nearly always stands alone."""
    assert _files(measured, WRONG_NAME) == []
    assert measured.count(ALONE) >= 175


@pytest.mark.slow
def test_what_has_no_name_gets_none(measured: Measured) -> None:
    """Of a wrong answer whose thought is on no list the message says what came back, and names nothing."""
    unlisted = [each.result for each in measured.files if each.slug == UNLISTED]
    assert len(unlisted) > 30
    assert [result for result in unlisted if result.misconceptions or not result.message] == []


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        (None, "holds no MANIFEST.tsv"),
        ("name\tslug\nx.py\t\n", "the columns file, target and slug are needed"),
        ("file\ttarget\tslug\nx.py\tcausal_mark\t\n", "MANIFEST.tsv:2: no exercise asks for 'causal_mark'"),
        ("file\ttarget\tslug\nx.py\tcausal_mask\t\n", "MANIFEST.tsv:2: there is no file x.py"),
    ],
    ids=["no manifest", "columns", "target", "file"],
)
def test_a_clumsy_corpus(tmp_path: Path, manifest: str | None, says: str) -> None:
    """What is wrong with a manifest is told with its line, before anything is graded."""
    if manifest is not None:
        (tmp_path / "MANIFEST.tsv").write_text(manifest)
    with pytest.raises(Failed, match=says):
        measure(load_course(ROOT), tmp_path)


def test_labels_that_disagree_are_told(tmp_path: Path) -> None:
    """A false label shows as what a wrong judgement would: rejected, accepted or misnamed."""
    right = "import numpy as np\n\n\ndef causal_mask(T):\n    return np.tri(T, dtype=bool)\n"
    files = {"right": (right, ""), "upper": (right.replace("dtype=bool)", "dtype=bool).T"), "")}
    files |= {"accepted": (right, "mask-inverted"), "misnamed": (files["upper"][0], "mask-self-only")}
    lines = ["file\ttarget\tslug"]
    for name, (source, slug) in files.items():
        (tmp_path / f"{name}.py").write_text(source)
        lines.append(f"{name}.py\tcausal_mask\t{slug}")
    (tmp_path / "MANIFEST.tsv").write_text("\n".join(lines))
    found = measure(load_course(ROOT), tmp_path)
    outcomes = {each.file: each.outcome for each in found.files}
    assert outcomes == {
        "right.py": "passed", "upper.py": FALSE_REJECT, "accepted.py": FALSE_ACCEPT, "misnamed.py": WRONG_NAME,
    }  # fmt: skip
    text = tables(found)
    assert "| misnamed.py | mask-self-only | mask-upper-not-lower" in text
    assert "| false reject | 1 | 2 right |" in text
    assert "right.py | right" not in text
