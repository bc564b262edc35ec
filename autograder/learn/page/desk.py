"""Where the page has answers judged: one after the other, in workers that are ready, never in its own process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from autograder.course.model import Course, Exercise
from autograder.errors import HeadcountError
from autograder.learn.warm import WarmWorkers
from autograder.records import Drawing, Result
from autograder.sandbox.launch import SandboxError, Zygote

Done = TypeVar("Done")
#: Seconds that a newer save waits for an older one of the same exercise before it takes its place.
PATIENCE = 1.0
STOPPED = "Stopped. This was saved and not judged."
SUPERSEDED = "A newer save took the place of this one."


class Stopped(HeadcountError):
    """Raised when somebody stopped a check, or a newer save of the same exercise took its place."""


@dataclass(eq=False)
class Ticket:
    """One piece of work, from when it is asked for until it is done."""

    exercise: Exercise
    preparing: bool = False
    """Whether it has been held up by something that has to be done once and is better not interrupted."""
    why_not: str = ""
    zygote: Zygote | None = field(default=None, repr=False)

    def note(self, what: str, done: int, total: int) -> None:
        """Called by the engine with what holds it up."""
        self.preparing = True

    def stop(self, why: str) -> None:
        """End it, wherever it is."""
        self.why_not = why
        if self.zygote:
            self.zygote.kill()


class Desk:
    """Judges for one page. Use as a context manager."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self._workers = WarmWorkers(course)
        self._turn = threading.Lock()
        self._waiting: dict[str, Ticket] = {}
        self._current: Ticket | None = None
        self._ended = False
        self._draws: dict[str, bool] = {}

    def check(self, exercise: Exercise, source: bytes, origin: str) -> tuple[Result, str]:
        """The result of a source, and what it printed. Raises Stopped, and what `judge_source` raises."""
        from autograder.learn.checking import judge_source  # late: the first page should come fast

        return self._use(
            exercise, lambda ticket, zygote: judge_source(self.course, exercise, source, origin, ticket.note, zygote)
        )

    def squares(self, exercise: Exercise, source: bytes, origin: str) -> tuple[list[Drawing], list[str]]:
        """What a source answers to the shown probes, to be drawn. Raises Stopped, and what `squares` raises."""
        from autograder.learn.show import squares  # late, like the above

        return self._use(
            exercise, lambda ticket, zygote: squares(self.course, exercise, source, origin, ticket.note, zygote)
        )

    def draws(self, exercise: Exercise) -> bool:
        """Whether what an exercise asks for can be drawn, as far as its key is compiled and tells."""
        if exercise.id not in self._draws:
            from autograder.checking import draws  # late, like the above

            try:
                known = draws(self.course, exercise)
            except HeadcountError:  # whoever checks is told
                known = None
            if known is None:
                return False
            self._draws[exercise.id] = known
        return self._draws[exercise.id]

    def get_ready(self, exercise: Exercise) -> None:
        """Have workers ready for an exercise that somebody has opened; where that fails the check will say so."""

        def prepare() -> None:
            if self._turn.acquire(blocking=False):
                try:
                    self._workers.prepare(exercise)
                    import autograder.checking  # noqa: F401  loaded here, it is not waited for
                except HeadcountError:
                    pass
                finally:
                    self._turn.release()

        threading.Thread(target=prepare, daemon=True).start()

    def stop(self, exercise: Exercise) -> None:
        """End what is being done for this exercise."""
        ticket = self._current
        if ticket and ticket.exercise == exercise:
            ticket.stop(STOPPED)

    def end(self) -> None:
        """End what is being done, and begin nothing any more."""
        self._ended = True
        if ticket := self._current:
            ticket.stop(STOPPED)

    def _use(self, exercise: Exercise, work: Callable[[Ticket, Zygote | None], Done]) -> Done:
        ticket = Ticket(exercise)
        self._waiting[exercise.id] = ticket
        self._take_turn(ticket)
        try:
            self._current = ticket
            if self._ended or self._waiting[exercise.id] is not ticket:
                raise Stopped(STOPPED if self._ended else SUPERSEDED)
            return self._workers.use(exercise, lambda zygote: _worked(ticket, zygote, work))
        finally:
            self._current = None
            self._turn.release()

    def _take_turn(self, ticket: Ticket) -> None:
        """Wait for the others; an older one of the same exercise that takes long is ended."""
        if not self._turn.acquire(timeout=PATIENCE):
            older = self._current
            if older and older.exercise == ticket.exercise and not older.preparing:
                older.stop(SUPERSEDED)
            self._turn.acquire()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()
        with self._turn:
            self._workers.close()


def _worked(ticket: Ticket, zygote: Zygote | None, work: Callable[[Ticket, Zygote | None], Done]) -> Done:
    """Do the work unless it was stopped; what a stopped one comes to is nobody's."""
    ticket.zygote = zygote
    try:
        if not ticket.why_not:
            done = work(ticket, zygote)
    except SandboxError:  # where the workers were ended under its hands, the next one finds others
        if not ticket.why_not:
            raise
    if ticket.why_not:
        raise Stopped(ticket.why_not)
    return done
