"""What the exercises about checkpoints hand to a worker, and what they keep to themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from autograder.course import content
from autograder.course.load import load_course
from autograder.records import as_plain
from autograder.sandbox import wire
from tests.conftest import ROOT, Run

COURSE = load_course(ROOT)


def probes(exercise: str):
    """Shown and hidden probes of an exercise, by name."""
    return {p.name: p for p in content.probe_set(COURSE, COURSE.exercise(exercise), secret=b"a secret").probes}


def test_a_hidden_head_count_does_not_enter_the_worker() -> None:
    """Where the head count is what is asked for, neither the inputs nor the driver hold it."""
    for probe in probes("f6_recover_from_behaviour").values():
        assert set(probe.inputs) == {"state_dict", "tokens"}
    for probe in probes("f5_recover_from_outputs").values():
        assert set(probe.inputs) == {"qkv_weight", "out_weight", "x", "y"}
    driver = content.driver_source(COURSE, COURSE.exercise("f6_recover_from_behaviour"))
    assert driver
    assert not {"12", "16", "npz"} & set(driver.replace("(", " ").replace(")", " ").split())


def test_a_hidden_checkpoint_is_no_shipped_one() -> None:
    """The weights of hidden probes are not those of any file that learners have."""
    shown, hidden = (
        [p.inputs["state_dict"]["tok.weight"] for p in probes("f6_recover_from_behaviour").values() if p.shown is shown]
        for shown in (True, False)
    )
    assert hidden
    assert not any(np.array_equal(theirs, ours) for theirs in hidden for ours in shown)


@pytest.mark.parametrize("id", [e.id for e in COURSE.exercises if e.stage in "FG" and e.kind == "code"])
def test_every_question_fits_into_one_message(id: str) -> None:
    """Whole models travel as inputs, and stay well below what the wire takes."""
    for probe in probes(id).values():
        assert len(wire.encode({name: as_plain(value) for name, value in probe.inputs.items()})) < wire.MAX_FRAME // 4


def test_a_changed_data_file_makes_the_key_anew(kitchen: Path, headcount: Run) -> None:
    """A right answer stays right when a file that the probes read has changed since the key was compiled."""
    path = kitchen / "solutions" / "k1_scale_recipe" / "probes.py"
    source = path.read_text().replace(
        "def shown(rng", "DATA = Path(__file__).parents[2] / 'data.npy'\n\n\ndef shown(rng"
    )
    source = "from pathlib import Path\n" + source
    extra = (
        "    yield Probe(name='from_a_file', check='amounts', why='data of its own',\n"
        "                inputs={'amounts': np.load(DATA), 'written_for': 2, 'guests': 6})\n"
    )
    at = source.index("    yield Probe(")
    path.write_text(source[:at] + extra + source[at:])
    answer = kitchen / "exercises" / "k1_scale_recipe.py"
    answer.write_text("def scale_recipe(amounts, have, want):\n    assert have\n    return amounts * want / have\n")
    for amounts in ([1.0, 2.0], [5.0, 7.0]):
        np.save(kitchen / "data.npy", np.array(amounts))
        assert headcount("check", "k1", cwd=kitchen).returncode == 0
