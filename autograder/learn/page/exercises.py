"""The page of an exercise: its text, the editor, and what came of the last check."""

from __future__ import annotations

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from autograder.course.model import Exercise
from autograder.errors import HeadcountError
from autograder.learn.marking import ASK, READ_AGAIN
from autograder.learn.page.acting import Sight, do, seen
from autograder.learn.page.house import Form, field_of, house_of
from autograder.learn.page.lessons import task_html
from autograder.learn.page.texts import question_html
from autograder.learn.progress import Progress
from autograder.report.rubric import filled


def show_exercise(request: Request, exercise: Exercise, problem: str = "") -> Response:
    """The exercise as it lies on the disk, and what is in the way of showing it otherwise."""
    house, said = house_of(request), list[str]()
    house.desk.get_ready(exercise)
    sight = seen(house, exercise)
    sight.said, sight.problem = said, problem
    return _drawn(request, Progress(house.course, said.append), sight)


def act(request: Request, exercise: Exercise, form: Form) -> Response:
    """Do what a button of the page says, with the text that its editor holds."""
    house, said = house_of(request), list[str]()
    progress, sight = Progress(house.course, said.append), seen(house, exercise)
    sight.said, sight.made_from = said, field_of(form, "version")
    if "text" in form:
        sight.text = field_of(form, "text")
    sight.window = field_of(form, "window") or sight.window
    try:
        do(house, progress, sight, form)
    except HeadcountError as problem:
        sight.problem = str(problem)
    except OSError as error:
        sight.problem = f"{error.filename or exercise.file}: {error.strerror}"
    return _drawn(request, progress, sight)


def _drawn(request: Request, progress: Progress, sight: Sight) -> Response:
    house, exercise = house_of(request), sight.exercise
    result = house.result(exercise, sight.paper.version)
    record = progress.of(exercise)
    task = question_html if exercise.kind == "text" else task_html
    return house.draw_desk(
        request, "text.html" if exercise.kind == "text" else "exercise.html", progress, exercise,
        sight=sight, task=Markup(task(house.course, exercise, sight.paper.text)),
        result=result, printed=house.judged[exercise.id][2].strip() if result else "",
        hints=exercise.hints[: min(record.hints, len(exercise.hints))],
        draws=house.desk.draws(exercise), ask_rubric=ASK, read_again=READ_AGAIN, filled=filled,
    )  # fmt: skip
