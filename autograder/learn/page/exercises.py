"""The page of an exercise of code: its text, the editor, and what came of the last check."""

from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from autograder.course.errors import display
from autograder.course.model import Exercise
from autograder.learn.checking import note
from autograder.learn.hints import advise
from autograder.learn.page.house import Form, House, field_of, house_of
from autograder.learn.page.lessons import lesson_html, task_html
from autograder.learn.page.paper import Elsewhere, Paper, keep, look, save
from autograder.learn.progress import Progress
from autograder.learn.reset import reset
from autograder.learn.reveal import Revealed, needs_a_yes, refusal, reveal
from autograder.records import HeadcountError
from autograder.report.svg import svg_drawings
from autograder.submissions.own import read_source

SAVED = "Saved in {file}."
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
    said: list[str] = field(default_factory=list)
    problem: str = ""
    elsewhere: Paper | None = None
    advice: str = ""
    refused: str = ""
    asks: bool = False
    revealed: Revealed | None = None
    drawing: Markup | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def version(self) -> str:
        """What the text in the editor was made from."""
        return self.made_from or self.paper.version

    made_from: str = ""


def show_exercise(request: Request, exercise: Exercise) -> Response:
    """The exercise as it lies on the disk."""
    house = house_of(request)
    house.desk.get_ready(exercise)
    paper = look(house.course.stub_path(exercise))
    said: list[str] = []
    return _drawn(request, Progress(house.course, said.append), Sight(exercise, paper, paper.text, said))


def act(request: Request, exercise: Exercise, form: Form) -> Response:
    """Do what a button of the page says, with the text that its editor holds."""
    house, said = house_of(request), list[str]()
    progress = Progress(house.course, said.append)
    paper = look(house.course.stub_path(exercise))
    text = field_of(form, "text") if "text" in form else paper.text
    sight = Sight(exercise, paper, text, said, made_from=field_of(form, "version"))
    try:
        _do(house, progress, sight, field_of(form, "do"), field_of(form, "seen"))
    except HeadcountError as problem:
        sight.problem = str(problem)
    return _drawn(request, progress, sight)


def _do(house: House, progress: Progress, sight: Sight, what: str, seen: str) -> None:
    """Raises HeadcountError with a sentence for the learner."""
    exercise, path = sight.exercise, house.course.stub_path(sight.exercise)
    match what:
        case "save" | "check":
            if _saved(house, sight) and what == "check":
                _check(house, progress, sight)
        case "mine" if _kept(house, sight, sight.paper.text, "What lay there"):
            sight.made_from = seen
            _saved(house, sight)
        case "theirs" if _kept(house, sight, sight.text, "What you had written here"):
            _open_again(house, sight)
        case "fresh":
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
            drawn, sight.notes = house.desk.squares(exercise, read_source(path, display(path)), display(path))
            sight.drawing = Markup(svg_drawings(drawn)) if drawn else None


def _saved(house: House, sight: Sight) -> bool:
    """Save what the editor holds; whether it is on the disk now."""
    path = house.course.stub_path(sight.exercise)
    try:
        sight.paper = save(path, sight.text, sight.version)
    except Elsewhere as elsewhere:
        sight.elsewhere = elsewhere.now
        return False
    except OSError as error:
        sight.problem = NOT_SAVED.format(file=display(path), why=error.strerror)
        return False
    sight.text, sight.made_from = sight.paper.text, ""
    return True


def _kept(house: House, sight: Sight, text: str, what: str) -> bool:
    """Keep the text that is about to go; whether it is safe."""
    if not text.strip():
        return True
    try:
        name = keep(house.course.stub_path(sight.exercise), text)
    except OSError as error:
        sight.problem = NOT_KEPT.format(why=error.strerror)
        return False
    sight.said.append(KEPT.format(what=what, name=name))
    return True


def _open_again(house: House, sight: Sight) -> None:
    sight.paper = look(house.course.stub_path(sight.exercise))
    sight.text, sight.made_from = sight.paper.text, ""


def _check(house: House, progress: Progress, sight: Sight) -> None:
    exercise, path = sight.exercise, house.course.stub_path(sight.exercise)
    source = read_source(path, display(path))
    result, printed = house.desk.check(exercise, source, display(path))
    note(progress, exercise, source, result)
    house.judged[exercise.id] = sight.paper.version, result, printed


def _drawn(request: Request, progress: Progress, sight: Sight) -> Response:
    house, exercise = house_of(request), sight.exercise
    version, result, printed = house.judged.get(exercise.id, ("", None, ""))
    fresh = result is not None and version == sight.paper.version
    record = progress.of(exercise)
    shown = min(record.hints, len(exercise.hints))
    stage = next(each for each in house.course.stages if each.letter == exercise.stage)
    return house.draw(
        request, "exercise.html", progress,
        sight=sight, exercise=exercise, record=record, path=house.course.stub_path(exercise),
        task=Markup(task_html(house.course, exercise, sight.paper.text)), stage=stage,
        lesson=Markup(lesson_html(house.course, stage)),
        result=result if fresh else None, printed=printed.strip() if fresh else "",
        hints=exercise.hints[:shown],
    )  # fmt: skip
