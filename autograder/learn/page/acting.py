"""What the buttons of an exercise do: save, check, show, hint, reveal, and settle what two hands have written."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from autograder.course.errors import display
from autograder.course.model import Exercise
from autograder.learn.checking import note
from autograder.learn.hints import advise
from autograder.learn.page import texts
from autograder.learn.page.house import Form, House, field_of
from autograder.learn.page.paper import Elsewhere, Paper, lines, look, version_of
from autograder.learn.progress import Progress
from autograder.learn.reset import reset
from autograder.learn.reveal import Revealed, needs_a_yes, refusal, reveal
from autograder.records import Drawing
from autograder.submissions.own import read_source
from autograder.texts.load import Text, load_text
from autograder.texts.mark import answer, with_answer

NOT_SAVED = "{file} could not be saved ({why}). Your text is still here; nothing of it is lost."
KEPT = "{what} is kept as {name}."
NOT_KEPT = "It could not be kept ({why}), so nothing was changed."


@dataclass
class Sight:
    """What the page of one exercise shows besides what stands on every page."""

    exercise: Exercise
    paper: Paper
    text: str
    """In the editor: what lies on the disk, or what somebody has written and not saved."""
    made_from: str = ""
    """The version that the text in the editor was made from; empty where it is the one on the disk."""
    window: str = field(default_factory=partial(secrets.token_hex, 8))
    """Tells one window with this page from another."""
    said: list[str] = field(default_factory=list)
    problem: str = ""
    elsewhere: Paper | None = None
    """What lies on the disk, where it is not what the text in the editor was made from."""
    advice: str = ""
    refused: str = ""
    asks: bool = False
    """Whether a yes is wanted before the model answer is shown."""
    revealed: Revealed | None = None
    drawn: Sequence[Drawing] = ()
    notes: Sequence[str] = ()
    rubric: Text | None = None
    given: Mapping[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """What the text in the editor was made from."""
        return self.made_from or self.paper.version

    @property
    def saved(self) -> bool:
        """Whether the text in the editor is what lies on the disk."""
        text = lines(self.text)
        same = text == _edited(self.exercise, self.paper) or _whole(self) == self.paper.text
        return same and not self.paper.trouble


def seen(house: House, exercise: Exercise) -> Sight:
    """The exercise as it lies on the disk."""
    paper = look(house.course.stub_path(exercise))
    return Sight(exercise, paper, _edited(exercise, paper))


def do(house: House, progress: Progress, sight: Sight, form: Form) -> None:
    """Do what the button says. Raises HeadcountError with a sentence for the learner."""
    exercise, path = sight.exercise, house.course.stub_path(sight.exercise)
    match what := field_of(form, "do"):
        case "check" | "rubric" | "mark" if exercise.kind == "text":
            _compare(house, progress, sight, form)
        case "save" | "check":
            if _saved(house, sight) and what == "check":
                _check(house, progress, sight)
        case "mine" if _kept(house, sight, _on_disk(path), "What lay there"):
            sight.made_from = field_of(form, "seen")
            _saved(house, sight, over=True)
        case "theirs" if _kept(house, sight, _whole(sight).encode("utf-8", "replace"), "What you had written here"):
            _open_again(house, sight)
        case "fresh" if sight.paper.trouble or _saved(house, sight):
            with house.papers.turn:
                sight.said.append(reset(house.course, exercise))
            _open_again(house, sight)
        case "hint":
            sight.advice = advise(house.course, progress, exercise).first
        case "reveal" | "yes":
            sight.refused = refusal(house.course, progress, exercise)
            sight.asks = what == "reveal" and not sight.refused and needs_a_yes(progress, exercise)
            if not sight.refused and not sight.asks:
                sight.revealed = reveal(house.course, progress, exercise, path)
        case "show" if _saved(house, sight):
            source = read_source(path, display(path))
            sight.drawn, sight.notes = house.desk.squares(exercise, source, display(path))


def _edited(exercise: Exercise, paper: Paper) -> str:
    """What of a file is edited: all of it, or the learner's own words."""
    return answer(paper.text) if exercise.kind == "text" else paper.text


def _whole(sight: Sight) -> str:
    """The file that the text in the editor makes."""
    return with_answer(sight.paper.text, sight.text) if sight.exercise.kind == "text" else sight.text


def _on_disk(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _saved(house: House, sight: Sight, *, over: bool = False) -> bool:
    """Save what the editor holds, `over` what is no text too; whether it is on the disk now."""
    path = house.course.stub_path(sight.exercise)
    if sight.paper.unreadable and not over:
        return False
    try:
        sight.paper = house.papers.save(path, _whole(sight), sight.version, sight.window)
    except Elsewhere as elsewhere:
        sight.elsewhere = elsewhere.now
        return False
    except OSError as error:
        sight.problem = NOT_SAVED.format(file=display(path), why=error.strerror)
        return False
    sight.text, sight.made_from = lines(sight.text), ""
    return True


def _kept(house: House, sight: Sight, content: bytes, what: str) -> bool:
    """Keep what is about to go; whether it is safe."""
    if not content.strip():
        return True
    try:
        name = house.papers.keep(house.course.stub_path(sight.exercise), content)
    except OSError as error:
        sight.problem = NOT_KEPT.format(why=error.strerror)
        return False
    sight.said.append(KEPT.format(what=what, name=name))
    return True


def _open_again(house: House, sight: Sight) -> None:
    sight.paper, sight.made_from = look(house.course.stub_path(sight.exercise)), ""
    sight.text = _edited(sight.exercise, sight.paper)


def _check(house: House, progress: Progress, sight: Sight) -> None:
    exercise, path = sight.exercise, house.course.stub_path(sight.exercise)
    source = read_source(path, display(path))
    result, printed = house.desk.check(exercise, source, display(path))
    note(progress, exercise, source, result)
    house.judged[exercise.id] = version_of(source), result, printed


def _compare(house: House, progress: Progress, sight: Sight, form: Form) -> None:
    """Count a text, and once it is written show what it is compared with, and note what its learner gives it."""
    exercise, what = sight.exercise, field_of(form, "do")
    if not _saved(house, sight):
        return
    if what == "check" or house.result(exercise, sight.paper.version) is None:
        _check(house, progress, sight)
    result = house.result(exercise, sight.paper.version)
    sight.given = texts.given(exercise, form)
    if result and result.verdict == "TO_BE_MARKED" and (what != "check" or any(sight.given.values())):
        sight.rubric = load_text(house.course, exercise)
        if what == "mark":
            sight.said.append(texts.mark_own(progress, exercise, sight.rubric, sight.given))
