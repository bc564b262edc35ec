"""Which address leads where."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from autograder.errors import HeadcountError
from autograder.learn.page import exercises, quizzes
from autograder.learn.page.house import Form, House, answered, house_of
from autograder.learn.page.lessons import lesson_html, picture
from autograder.learn.progress import Progress

STATIC = Path(__file__).parent / "static"
BUG = "A bug in headcount, not in your work: {kind}: {error}"


def make_app(house: House) -> Starlette:
    """The pages of one course, for whoever has come through the door."""
    app = Starlette(
        routes=[
            Route("/", answered(_map)),
            Route("/lesson/{stage}", answered(_lesson)),
            Route("/pictures/{name}", answered(_picture)),
            Route("/exercise/{name}", answered(_exercise), methods=["GET", "POST"]),
            Route("/stop/{name}", answered(_stop), methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={HTTPException: _refused, HeadcountError: _problem, Exception: _bug},
    )
    app.state.house = house
    return app


def _map(request: Request, form: Form) -> Response:
    house, said = house_of(request), list[str]()
    return house.draw(request, "map.html", Progress(house.course, said.append), said=said)


def _lesson(request: Request, form: Form) -> Response:
    house = house_of(request)
    stage = house.stage(request.path_params["stage"])
    if stage is None or not (text := lesson_html(house.course, stage)):
        raise HTTPException(404)
    return house.draw(request, "lesson.html", Progress(house.course), stage=stage, lesson=Markup(text))


def _picture(request: Request, form: Form) -> Response:
    found = picture(house_of(request).course, request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return Response(found, media_type="image/svg+xml")


def _exercise(request: Request, form: Form) -> Response:
    exercise = house_of(request).exercise(request.path_params["name"])
    if exercise is None:
        raise HTTPException(404)
    if exercise.kind == "quiz" and "text" not in form:  # a sheet that cannot be asked from is edited as a file
        return quizzes.show_quiz(request, exercise, form)
    if request.method == "POST":
        return exercises.act(request, exercise, form)
    return exercises.show_exercise(request, exercise)


def _stop(request: Request, form: Form) -> Response:
    house = house_of(request)
    if exercise := house.exercise(request.path_params["name"]):
        house.desk.stop(exercise)
    return Response(status_code=204)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code != 404:
        return PlainTextResponse(f"{error.detail}\n", error.status_code)
    house = house_of(request)
    return house.draw(request, "nowhere.html", Progress(house.course), status=404)


async def _problem(request: Request, error: Exception) -> Response:
    return PlainTextResponse(f"{error}\n", 500)


async def _bug(request: Request, error: Exception) -> Response:
    return PlainTextResponse(BUG.format(kind=type(error).__name__, error=error) + "\n", 500)
