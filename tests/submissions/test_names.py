"""File names: what is skipped, what is unsafe, what was meant."""

from __future__ import annotations

import pytest

from autograder.submissions import names
from autograder.submissions.errors import Refusal

MISSING = {"a1_causal_mask.py", "b2_split_heads.py", "d2_count.yaml"}


@pytest.mark.parametrize(
    "path", [".DS_Store", "__MACOSX/smith/._a.py", "smith/.ipynb_checkpoints/a.ipynb", "__pycache__/a.pyc", "Icon\r"]
)
def test_left_behind_files_are_hidden(path: str) -> None:
    """What systems and editors leave behind is nobody's work."""
    assert names.hidden(path)


def test_ordinary_files_are_not_hidden() -> None:
    """A dot or an underscore inside a name hides nothing."""
    assert not names.hidden("smith/a1_causal_mask.py")


@pytest.mark.parametrize("raw", ["/etc/x", "\\x", "C:\\x", "c:x", "../x", "a/../../x", "a\\..\\x"])
def test_paths_that_lead_out_are_refused(raw: str) -> None:
    """Absolute paths, drives and .. are refused with either slash."""
    with pytest.raises(Refusal, match="leads out of the archive"):
        names.inside(raw, "smith.zip")


def test_paths_without_end_are_refused() -> None:
    """Before their letters are put in order, which would take hours for the few kB that such a path is packed into."""
    with pytest.raises(Refusal, match=r"^smith.tgz: the path '.{80,200}' has more than 1,000 characters: shorten it$"):
        names.inside("a" + "\u0301" * 1_000_000 + "\u0316" * 1_000_000, "smith.tgz")
    assert len(names.inside("a/" * 400 + "x.py", "smith.tgz")) == 804


def test_paths_are_tidied() -> None:
    """Windows slashes, single dots and decomposed letters come out in one form."""
    assert names.inside("./a\\cafe\u0301//x.py", "smith.zip") == "a/caf\u00e9/x.py"


@pytest.mark.parametrize("character", ["\x00", "\n", "\x7f", "\u200b", "\u202e", "\ufeff", "\u2028"])
def test_unseen_characters_are_refused_by_code(character: str) -> None:
    """The message shows the character as its code, so that it can be found."""
    with pytest.raises(Refusal, match=f"U\\+{ord(character):04X}") as caught:
        names.visible(f"a{character}.py", "smith")
    assert character not in str(caught.value)


def test_a_name_in_another_encoding_is_said_to_be_one() -> None:
    """A byte that is no UTF-8, as old archives and file systems hold it, is not called a control character."""
    with pytest.raises(Refusal, match=r"the name 'J\\udcf6rg.py' is not UTF-8 text: rename it"):
        names.visible("J\udcf6rg.py", "smith")


def test_long_names_are_cut_in_messages() -> None:
    """A name of any length leaves the message readable, with both its ends."""
    assert names.shown("a" * 5000 + ".py").endswith("aaa.py")
    assert len(names.shown("a" * 5000)) == 80


def test_long_lists_are_cut_in_messages() -> None:
    """Five names are enough to see what is meant."""
    assert names.listed(list("abcdefg")) == "a, b, c, d, e and 2 more"
    assert names.listed(["a"]) == "a"


def test_long_learners_are_not_cut() -> None:
    """An id that stands for a person has to stay different from all others."""
    assert names.learner("a" * 200 + ".zip") == "a" * 200


@pytest.mark.parametrize("name", ["smith", "smith.zip", "smith.TAR.GZ", "smith.tar", "smith.tgz", "smith.ipynb"])
def test_a_learner_is_named_by_the_stem(name: str) -> None:
    """Folder, archive and notebook give one id."""
    assert names.learner(name) == "smith"


def test_dots_stay_in_a_learner() -> None:
    """Only the ending of an upload is taken off."""
    assert names.learner("j.smith.zip") == "j.smith"


def test_learners_have_one_unicode_form() -> None:
    """The same name typed on two systems is the same learner."""
    assert names.learner("Jose\u0301") == names.learner("Jos\u00e9") == "Jos\u00e9"


@pytest.mark.parametrize(
    "name",
    [
        "a1_causal_mask (1).py",
        "a1_causalmask.py",
        "causal_mask.py",
        "a1_causal_mask.py.txt",
        "a1_causal_mask",
        "a1.py",
        "lovelace_ada_4711_a1_causal_mask.py.txt",
    ],
)
def test_nearly_right_names_get_a_question(name: str) -> None:
    """Slips of typing, browsers and editors are recognised."""
    assert str(names.meant(name, MISSING)).endswith("did you mean a1_causal_mask.py?")


def test_case_is_said_plainly() -> None:
    """A name right but for its case says so."""
    assert names.meant("A1_Causal_Mask.PY", MISSING) == (
        "A1_Causal_Mask.PY differs from a1_causal_mask.py in upper and lower case: did you mean a1_causal_mask.py?"
    )


@pytest.mark.parametrize(
    ("letter", "said"),
    [
        ("\N{CYRILLIC SMALL LETTER A}", "U+0430 CYRILLIC SMALL LETTER A"),
        ("\N{FULLWIDTH LATIN SMALL LETTER A}", "U+FF41 FULLWIDTH LATIN SMALL LETTER A"),
        ("\N{CYRILLIC CAPITAL LETTER A}", "U+0410 CYRILLIC CAPITAL LETTER A"),
    ],
)
def test_look_alike_letters_are_named(letter: str, said: str) -> None:
    """A letter that cannot be told apart by eye is told by its Unicode name."""
    remark = str(names.meant(f"a1_causal_m{letter}sk.py", MISSING))
    assert f"{said}, which only looks like" in remark
    assert remark.endswith("did you mean a1_causal_mask.py?")


@pytest.mark.parametrize("name", ["d2_count.py", "d2_count (1).yaml", "D2_count.yml", "d2_cuont.yaml"])
def test_a_quiz_is_asked_for_by_its_own_ending(name: str) -> None:
    """The question names the file that was meant."""
    assert str(names.meant(name, MISSING)).endswith("did you mean d2_count.yaml?")


def test_look_alike_letters_are_named_even_without_a_guess() -> None:
    """A foreign letter is worth saying where no exercise comes near."""
    remark = str(names.meant("z\N{CYRILLIC SMALL LETTER A}p.py", MISSING))
    assert remark.endswith("only looks like 'a'")


@pytest.mark.parametrize("name", ["README.md", "helper.py", "маска.py", "notes.txt", "é.py"])
def test_other_names_are_left_alone(name: str) -> None:
    """No guess is better than a far-fetched one."""
    assert names.meant(name, MISSING) is None
