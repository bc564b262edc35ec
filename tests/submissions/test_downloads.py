"""Names as learning platforms write them when all hand-ins are downloaded at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from autograder.records import Upload

Uploads = Callable[[dict[str, bytes]], dict[str, Upload]]
MASK = "a1_causal_mask.py"
SPLIT = "b2_split_heads.py"
MOODLE = "Ada Lovelace_4711_assignsubmission_file"


@pytest.mark.parametrize(
    ("name", "learner"),
    [
        (f"{MOODLE}_/{MASK}", "Ada Lovelace"),
        (f"{MOODLE}/{MASK}", "Ada Lovelace"),
        (f"{MOODLE}_{MASK}", "Ada Lovelace"),
        (f"lovelaceada_4711_99123_{MASK}", "lovelaceada"),
        ("lovelaceada_LATE_4711_99123_a1_causal_mask-1.py", "lovelaceada"),
        (f"lovelace_ada_4711_{MASK}", "lovelace_ada"),
        (f"M\u00fcller J\u00fcrgen_{MASK}", "M\u00fcller J\u00fcrgen"),
        ("ada_d2_count.yml", "ada"),
        ("ada/a1_causal_mask (1).py", "ada"),
        ("team_2026_1_red.v2/a1_causal_mask-2.py", "team_2026_1_red.v2"),
    ],
)
def test_a_hand_in_is_its_learners_whatever_a_platform_wrote_around_it(
    uploads: Uploads, name: str, learner: str
) -> None:
    """Numbers and marks of the platform are taken off; the origin keeps the name that the file has."""
    (upload,) = uploads({name: b"x"}).values()
    assert (upload.learner, upload.refused, upload.notes) == (learner, None, ())
    assert [each.origin for each in upload.submissions] == [name]


def test_files_that_a_platform_has_put_beside_each_other_are_one_upload(uploads: Uploads) -> None:
    """Canvas and Moodle put all files of all learners into one folder."""
    found = uploads({f"ada_1_991_{MASK}": b"x", f"ada_1_992_{SPLIT}": b"y", f"bo_2_993_{MASK}": b"z"})
    assert {who: [each.exercise for each in upload.submissions] for who, upload in found.items()} == {
        "ada": ["a1_causal_mask", "b2_split_heads"],
        "bo": ["a1_causal_mask"],
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [(f"ada_1_991_{MASK}", f"ada_2_992_{SPLIT}"), (f"ada_1_991_{MASK}", f"ada/{SPLIT}")],
)
def test_two_people_of_one_name_are_never_mixed(uploads: Uploads, first: str, second: str) -> None:
    """Platforms number people; two numbers under one name, or a folder beside it, are for a person to tell apart."""
    assert "ada was handed in more than once" in str(uploads({first: b"x", second: b"y"})["ada"].refused)


def test_a_numbered_file_never_replaces_the_one_with_the_name(uploads: Uploads) -> None:
    """Which of two was meant is the learner's to say: the plain name counts, and the other is spoken of."""
    upload = uploads({f"ada/{MASK}": b"right", "ada/a1_causal_mask (1).py": b"other"})["ada"]
    assert [each.source for each in upload.submissions] == [b"right"]
    assert upload.notes == (f"ada/a1_causal_mask (1).py was not taken: {MASK} was handed in as well",)


def test_an_exercise_whose_name_ends_like_another_is_nobodys(uploads: Uploads) -> None:
    """A file that is wholly an exercise's name has no room for a learner's."""
    assert list(uploads({f"ada/{MASK}": b"x", "c2_multi_head_attention.py": b"y"})) == ["ada"]


def test_what_was_typed_into_moodle_is_no_second_hand_in(uploads: Uploads) -> None:
    """Moodle puts it into a folder of its own, beside the files."""
    found = uploads({f"{MOODLE}_/{MASK}": b"x", "Ada Lovelace_4711_assignsubmission_onlinetext_/onlinetext.html": b""})
    assert found["Ada Lovelace"].refused is None
