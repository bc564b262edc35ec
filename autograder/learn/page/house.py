"""What all pages have in common: the course, the learner's progress, where work is judged, and how a page is drawn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from autograder.course.errors import display
from autograder.course.model import Course, Exercise, Stage
from autograder.learn.page.coded import coded
from autograder.learn.page.desk import Desk
from autograder.learn.page.lessons import lesson_html, page_of
from autograder.learn.page.paper import Papers
from autograder.learn.places import places
from autograder.learn.progress import Progress
from autograder.learn.reveal import ASK
from autograder.records import Result
from autograder.report.map import SIGNS, Place, sum_of, to_go, worth
from autograder.report.rubric import worth as earned
from autograder.report.svg import caption, svg_drawings, svg_picture
from autograder.report.terminal import FAILED, adds, count_passed, sign

Form: TypeAlias = dict[str, list[str]]


@dataclass
class House:
    """One running page."""

    course: Course
    desk: Desk
    papers: Papers = field(default_factory=Papers)
    judged: dict[str, tuple[str, Result, str]] = field(default_factory=dict)
    """Of each exercise what was judged last: the version of the file, the result, and what it printed."""

    def exercise(self, name: str) -> Exercise | None:
        """The exercise of a name in an address: only the course's own names lead anywhere."""
        return next((each for each in self.course.exercises if each.short == name.lower()), None)

    def stage(self, name: str) -> Stage | None:
        """The stage of a letter in an address."""
        return next((each for each in self.course.stages if each.letter.lower() == name.lower()), None)

    def result(self, exercise: Exercise, version: str) -> Result | None:
        """What was judged last, where the file is still that one."""
        judged, result, _ = self.judged.get(exercise.id, ("", None, ""))
        return result if judged == version else None

    def draw(self, request: Request, template: str, progress: Progress, status: int = 200, **told: Any) -> Response:
        """A whole page: what is `told`, within what stands on every page."""
        found = places(self.course, progress)
        following = progress.next_up(self.course)
        page = _templates().get_template(template)
        html = page.render(
            course=self.course, places=found, stages=self._stages(found), following=following,
            summed=sum_of(found), to_go=to_go(found), nonce=request.state.nonce, **told,
        )  # fmt: skip
        return HTMLResponse(html, status)

    def draw_desk(
        self, request: Request, template: str, progress: Progress, exercise: Exercise, **told: Any
    ) -> Response:
        """The page of one exercise: its text and its desk, with the lesson of its stage."""
        stage = next(each for each in self.course.stages if each.letter == exercise.stage)
        return self.draw(
            request, template, progress, exercise=exercise, stage=stage, record=progress.of(exercise),
            path=self.course.stub_path(exercise), lesson=Markup(lesson_html(self.course, stage)), **told,
        )  # fmt: skip

    def _stages(self, found: list[Place]) -> list[tuple[Stage, bool, list[Place]]]:
        """Each stage that has exercises, whether it has a lesson, and where the learner stands in it."""
        staged = (
            (stage, [each for each in found if each.exercise.stage == stage.letter]) for stage in self.course.stages
        )
        return [(stage, page_of(self.course, stage) is not None, here) for stage, here in staged if here]


def house_of(request: Request) -> House:
    """The house that a request came to."""
    house: House = request.app.state.house
    return house


def answered(view: Callable[[Request, Form], Response]) -> Callable[[Request], Awaitable[Response]]:
    """A view as Starlette wants it: the form is read first, the rest is done aside, so that others need not wait."""

    async def endpoint(request: Request) -> Response:
        form: Form = {}
        if request.method == "POST":
            sent = (await request.body()).decode("utf-8", "replace")
            for key, value in parse_qsl(sent, keep_blank_values=True, max_num_fields=200):
                form.setdefault(key, []).append(value)
        return await run_in_threadpool(view, request, form)

    return endpoint


def field_of(form: Form, name: str) -> str:
    """One field of a form; empty where it was not sent."""
    return form.get(name, [""])[-1]


@cache
def _templates() -> Environment:
    """The templates, which escape whatever they are given."""
    loader = PackageLoader("autograder.learn.page")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"coded": coded, "worth": worth, "earned": earned, "sign": sign, "display": display}
    made.globals |= {
        "SIGNS": SIGNS, "FAILED": FAILED, "ASK": ASK, "adds": adds, "count_passed": count_passed, "caption": caption,
        "picture_of": lambda picture: Markup(svg_picture(picture)),
        "drawing_of": lambda drawings: Markup(svg_drawings(drawings)),
    }  # fmt: skip
    return made
