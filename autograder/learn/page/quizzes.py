"""The page of a quiz: one question at a time, onto the sheet that can be edited by hand too."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from autograder.course.errors import display
from autograder.course.model import Exercise
from autograder.errors import HeadcountError
from autograder.learn.page.exercises import show_exercise
from autograder.learn.page.house import Form, field_of, house_of
from autograder.learn.page.lessons import plain_html
from autograder.learn.progress import Progress
from autograder.learn.sheet import Sheet
from autograder.quiz.chosen import OneOf, SomeOf
from autograder.quiz.refused import Refused
from autograder.quiz.sheet import asked
from autograder.quiz.typed import LETTERS
from autograder.records import Verdict
from autograder.report.question import judged
from autograder.report.sheet import sign, tally

NOT_WRITTEN = "{file} could not be written ({why}), so this answer is not on your sheet."


@dataclass(frozen=True)
class Step:
    """One question on the way through a quiz."""

    name: str
    place: int
    verdict: Verdict
    answer: str
    """What stands on the sheet; empty where nothing does."""

    @property
    def sign(self) -> str:
        """Its mark, once it has an answer."""
        return sign(self.verdict) if self.answer else ""


def show_quiz(request: Request, exercise: Exercise, form: Form) -> Response:
    """A question: the one that is asked for, or what is open, or else what is not right yet. A form answers it.

    A sheet that cannot be read, or marked here, is shown as the file that it is.
    """
    house, said = house_of(request), list[str]()
    progress = Progress(house.course, said.append)
    try:
        sheet = Sheet(house.course, progress, exercise, house.course.stub_path(exercise))
        name, refused = field_of(form, "question") or request.query_params.get("question", ""), ""
        typed = ", ".join(form.get("answer", []))
        if request.method == "POST" and name in sheet.drawn and typed.strip():
            try:
                with house.papers.turn:
                    sheet.answer(name, typed)
            except Refused as refusal:
                refused = f"{refusal}."
            except OSError as error:
                refused = NOT_WRITTEN.format(file=display(sheet.path), why=error.strerror)
        return _drawn(request, progress, sheet, name, typed, refused, said)
    except HeadcountError as problem:
        return show_exercise(request, exercise, str(problem))
    except OSError as error:
        return show_exercise(request, exercise, f"{error.filename or exercise.file}: {error.strerror}")


def _drawn(
    request: Request, progress: Progress, sheet: Sheet, name: str, typed: str, refused: str, said: list[str]
) -> Response:
    house, exercise = house_of(request), sheet.exercise
    result, answers = sheet.marked(), sheet.answers()
    steps = [Step(each.id, place, each, answers.get(each.id, "")) for place, each in enumerate(result.checks, start=1)]
    here = next((step for step in steps if step.name == name), None) or _open(steps) or steps[0]
    question = sheet.drawn[here.name]
    return house.draw_desk(
        request, "quiz.html", progress, exercise,
        said=said, steps=steps, here=here, told=Markup(plain_html(house.course, sheet.quiz.lesson)),
        ask=Markup(plain_html(house.course, asked(question))), how=question.how,
        many="checkbox" if isinstance(question, SomeOf) else "radio" if isinstance(question, OneOf) else "",
        choices=list(zip(LETTERS, question.options, strict=False)), refused=refused,
        typed=typed or here.answer, judged=judged, goes_on=_open(steps, here),
        tally=tally(result), result=result,
    )  # fmt: skip


def _open(steps: list[Step], here: Step | None = None) -> Step | None:
    """What comes after `here`: the next question without an answer, or else the next that is not right yet."""
    place = here.place if here else 0
    others = [step for step in (*steps[place:], *steps[:place]) if step is not here]
    return next((step for step in others if not step.answer), None) or next(
        (step for step in others if not step.verdict.passed), None
    )
