"""Draw a class: learners who hand in right and wrong answers of tests/corpus, the same ones on every run."""

from __future__ import annotations

import csv
import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bench.measure import ROOT

CORPUS = ROOT / "tests" / "corpus"
#: The assignment: four exercises, and the name each of them asks for.
EXERCISES = {
    "a1_causal_mask": "causal_mask",
    "b2_split_heads": "split_heads",
    "b3_merge_heads": "merge_heads",
    "d1_count_parameters": "count_parameters",
}
WRONG_SHARE = 0.3


@dataclass(frozen=True)
class Learner:
    """One hand-in: `files` maps each exercise to its source."""

    name: str
    files: dict[str, str]


def learners(count: int) -> list[Learner]:
    """The first `count` learners of an endless class."""
    return list(islice(_endless(), count))


def repeated(few: Sequence[Learner], times: int) -> list[Learner]:
    """These learners, and then the same hand-ins again under other names."""
    again = [Learner(f"{each.name}_{i}", each.files) for i in range(1, times) for each in few]
    return [*few, *again]


def hand_in(class_: Sequence[Learner], folder: Path) -> Path:
    """Write one sub-folder for each learner. Every file ends with its learner's name, so that no two are equal."""
    shutil.rmtree(folder, ignore_errors=True)
    for learner in class_:
        own = folder / learner.name
        own.mkdir(parents=True)
        for exercise, source in learner.files.items():
            (own / f"{exercise}.py").write_text(f"{source}\n# {learner.name}\n", "utf-8")
    return folder


def _endless() -> Iterator[Learner]:
    rng = random.Random(0)
    with (CORPUS / "MANIFEST.tsv").open(encoding="utf-8") as manifest:
        rows = list(csv.DictReader(manifest, delimiter="\t"))
    number = 0
    while True:
        number += 1
        files = {}
        for exercise, entry in EXERCISES.items():
            wrong = rng.random() < WRONG_SHARE
            fitting = [row["file"] for row in rows if row["target"] == entry and bool(row["slug"]) is wrong]
            files[exercise] = (CORPUS / rng.choice(fitting)).read_text("utf-8")
        yield Learner(f"learner{number:04}", files)
