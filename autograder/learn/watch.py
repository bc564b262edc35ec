"""`headcount watch`: the verdict of the current exercise on every save."""

from __future__ import annotations

import signal

import click

from autograder.course.errors import display
from autograder.course.model import Course, Exercise
from autograder.errors import HeadcountError
from autograder.learn.asking import ask
from autograder.learn.checking import check_source, drawn
from autograder.learn.hints import next_hint
from autograder.learn.keyboard import Keyboard
from autograder.learn.places import introduction, places
from autograder.learn.progress import Progress
from autograder.learn.reveal import draw_refusal, draw_revealed, needs_a_yes, refusal, reveal
from autograder.learn.saved import INTERVAL, SavedFile
from autograder.learn.show import show
from autograder.learn.warm import WarmWorkers
from autograder.report.map import draw_map
from autograder.report.terminal import wrap

LOOKING = "Every save is checked. The file is looked at again and again, so network folders work too."
KEYS = "n next   h hint   s show   r reveal   l list   q quit"
QUIZ_KEYS = f"a answer   {KEYS}"
ASKING = "The model answer will be noted as revealed. Press y to see it, any other key to go on trying."


class Watch:
    """One session: the exercise at hand, its file, and what the next key means."""

    def __init__(
        self, course: Course, progress: Progress, exercise: Exercise, keyboard: Keyboard, *, plain: bool
    ) -> None:
        self.course, self.progress, self.keyboard, self.plain = course, progress, keyboard, plain
        self.done = False
        self._asked = False
        self._take(exercise)
        click.echo("\n" + "\n".join(wrap(LOOKING)))

    def run(self) -> None:
        """Go on until everything is solved or the learner has had enough."""
        with WarmWorkers(self.course) as self.workers:
            while not self.done:
                if key := self.keyboard.wait(INTERVAL):
                    self._press(key)
                elif (content := self.file.look()) is not None:
                    self._saved(content)

    def _take(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self._solved_before = self.progress.of(exercise).solved
        self.file = SavedFile(self.course.stub_path(exercise))
        click.echo(introduction(self.course, exercise))

    def _saved(self, content: bytes | str) -> None:
        click.echo()
        if isinstance(content, str):
            click.echo(content)
        elif self._solved_now(content):
            click.echo()
            self._move_on("Solved. ")
            return
        self._tell_keys()

    def _solved_now(self, content: bytes) -> bool:
        """Tell the verdict. Who comes back to a solved exercise wants to play with it, and has nothing to solve."""
        origin = display(self.file.path)
        try:
            result, printed = self.workers.use(
                self.exercise,
                lambda zygote: check_source(self.course, self.progress, self.exercise, content, origin, zygote),
            )
        except HeadcountError as problem:
            click.echo(f"{problem}\nThis was not checked; save again to try once more.")
            return False
        click.echo(drawn(self.exercise, result, printed, plain=self.plain))
        return result.verdict == "OK" and not self._solved_before

    def _move_on(self, why: str) -> None:
        following = _after(self.course, self.progress, self.exercise)
        if following is None:
            click.echo(f"{why}No other exercise is open. `headcount list` shows them all.")
            self.done = True
            return
        click.echo(f"{why}Next:\n")
        self._take(following)

    def _press(self, key: str) -> None:
        click.echo()
        if self._asked:
            self._asked = False
            if key == "y":
                self._show_answer()
                self._tell_keys()
                return
        match key:
            case "n":
                self._move_on("")
            case "h":
                click.echo(next_hint(self.course, self.progress, self.exercise))
            case "r":
                self._reveal()
            case "s":
                self._show()
            case "a" if self.exercise.kind == "quiz":
                self._answer()
            case "l":
                click.echo(draw_map(self.course, places(self.course, self.progress), plain=self.plain))
            case "q":
                self.done = True
            case _:
                self._tell_keys()

    def _reveal(self) -> None:
        if no := refusal(self.course, self.progress, self.exercise):
            click.echo(draw_refusal(no))
        elif needs_a_yes(self.progress, self.exercise):
            self._asked = True
            click.echo(ASKING)
        else:
            self._show_answer()

    def _show(self) -> None:
        try:
            self.workers.use(
                self.exercise,
                lambda zygote: show(self.course, self.exercise, self.file.path, zygote=zygote, plain=self.plain),
            )
        except HeadcountError as problem:
            click.echo(str(problem))

    def _answer(self) -> None:
        """Ask the questions here; what is then on the sheet is seen like every other save."""
        try:
            with self.keyboard.lent():
                ask(self.course, self.progress, self.exercise, self.file.path, plain=self.plain)
        except HeadcountError as problem:
            click.echo(str(problem))

    def _show_answer(self) -> None:
        click.echo(draw_revealed(reveal(self.course, self.progress, self.exercise, self.file.path)))

    def _tell_keys(self) -> None:
        if self.keyboard.live:
            click.echo(f"\n{QUIZ_KEYS if self.exercise.kind == 'quiz' else KEYS}")


def watch(course: Course, progress: Progress, exercise: Exercise, *, plain: bool) -> None:
    """Watch until the learner quits, by a key or by Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the terminal is put back
    with Keyboard() as keyboard:
        session = Watch(course, progress, exercise, keyboard, plain=plain)
        try:
            session.run()
        except KeyboardInterrupt:
            click.echo()
    at_hand = session.exercise
    where = progress.next_up(course) if progress.of(at_hand).solved else at_hand
    click.echo("Until next time." + (f" `headcount watch {where.short}` goes on from here." if where else ""))


def _after(course: Course, progress: Progress, exercise: Exercise) -> Exercise | None:
    """What is next apart from this one: what follows in the course and is open, then what comes before it."""
    here = course.exercises.index(exercise)
    for ready_only in (True, False):
        for other in (*course.exercises[here + 1 :], *course.exercises[:here]):
            ready = all(progress.of(course.exercise(need)).solved for need in other.needs)
            if not progress.of(other).solved and (ready or not ready_only):
                return other
    return None
