"""A course as frozen data. `autograder.course.load` makes it from course.yaml and vouches that it is consistent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from autograder.course.errors import CourseError, did_you_mean
from autograder.plain import Library

Kind: TypeAlias = Literal["code", "quiz", "text"]
Attempts: TypeAlias = Literal["last", "best"]
Policy: TypeAlias = Literal["allow", "flag", "forbid"]
Numbers: TypeAlias = Literal["shared", "own"]
_ENDINGS: dict[Kind, str] = {"code": ".py", "quiz": ".yaml", "text": ".md"}


def short(id: str) -> str:
    """The part of an exercise's id before the name, where only the id is at hand."""
    return id.partition("_")[0]


@dataclass(frozen=True)
class Stage:
    """A rung of the ladder; `letter` is what exercises refer to."""

    letter: str
    title: str


@dataclass(frozen=True)
class Family:
    """Misconceptions that share a thought. `says` is the sentence told when only the family is known."""

    name: str
    says: str
    slugs: tuple[str, ...]


@dataclass(frozen=True)
class Check:
    """One group of probes that earns its points together, once the checks it `needs` have passed."""

    id: str
    points: float
    says: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """What one submission may use. `wall_seconds` covers one answer, `total_seconds` all answers of one exercise."""

    cpu_seconds: float = 4.0
    wall_seconds: float = 20.0
    memory_mb: int = 768
    total_seconds: float = 60.0
    output_kb: int = 64


@dataclass(frozen=True)
class Late:
    """When answers are due and what coming later costs. Times are ISO 8601 with a zone, penalties are percent."""

    due: str
    grace_minutes: int = 0
    """Minutes after the due time in which nothing is late yet."""
    penalty_per_day: float = 0.0
    """Of the points, for every started day."""
    cap: float = 100.0
    """The most that lateness can cost."""
    extensions: dict[str, str] = field(default_factory=dict)
    """Learner to a due time of their own. Where an exercise is due later than that, they have as long as everybody."""


@dataclass(frozen=True)
class ReadyMade:
    """Names an answer should not lean on, and what happens when one does: let pass, named to a person, or refused."""

    policy: Policy = "allow"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """One entry of course.yaml, field for field. `docs/authoring.md` describes what each of them does."""

    id: str
    title: str
    stage: str
    kind: Kind
    library: Library = "numpy"
    defines: tuple[str, ...] = ()
    points: float
    minutes: int
    needs: tuple[str, ...] = ()
    seeds: dict[str, list[int]] = field(default_factory=dict)
    lesson: str
    checks: tuple[Check, ...] = ()
    words: tuple[int, ...] = ()
    """Of a text: how many words it should have at least and at most."""
    hints: tuple[str, ...] = ()
    bonus: bool = False
    limits: Limits | None = None
    """The course's limits with this exercise's changes applied; None where it changes nothing."""
    due: str | None = None
    """A due time of its own, ISO 8601 with a zone."""
    ready_made: Policy | None = None
    """A policy of its own for the names of the course."""

    @property
    def short(self) -> str:
        """What a person types for it: the part of its id before the name."""
        return short(self.id)

    @property
    def file(self) -> str:
        """The name of the file that is handed in."""
        return f"{self.id}{_ENDINGS[self.kind]}"


@dataclass(frozen=True, kw_only=True)
class Course:
    """A validated course.yaml and the folder it lies in."""

    root: Path
    title: str
    stages: tuple[Stage, ...]
    families: tuple[Family, ...]
    exercises: tuple[Exercise, ...]
    limits: Limits = field(default_factory=Limits)
    attempts: Attempts = "last"
    """Which of a learner's attempts at an exercise counts."""
    late: Late | None = None
    """None where nothing is due, except for exercises with a due time of their own."""
    ready_made: ReadyMade = field(default_factory=ReadyMade)
    released: bool = False
    """Whether this is a handout: `headcount release` writes it, and keys/ stands in for solutions/."""
    quiz_numbers: Numbers = "shared"
    """Whether quizzes are marked with the numbers of the sheets in exercises/, or with each learner's own."""
    sha256: str
    """Of the bytes of course.yaml, in hex."""

    def exercise(self, id: str) -> Exercise:
        """The exercise of that id. Raises CourseError, with the nearest id there is, when there is none."""
        for exercise in self.exercises:
            if exercise.id == id:
                return exercise
        near = did_you_mean(id, [exercise.id for exercise in self.exercises])
        raise CourseError(
            (f"There is no exercise '{id}' in this course.{near or ' `headcount list` shows them all.'}",)
        )

    def find(self, word: str) -> Exercise:
        """The exercise a person means by its id, its letter and number, or its name. Raises as `exercise` does."""
        wanted = word.lower()
        for exercise in self.exercises:
            if wanted in (exercise.id, exercise.short, exercise.id.partition("_")[2]):
                return exercise
        return self.exercise(word)

    def family_of(self, slug: str) -> Family | None:
        """The one family that lists this misconception."""
        return next((family for family in self.families if slug in family.slugs), None)

    def limits_of(self, exercise: Exercise) -> Limits:
        """What a submission for this exercise may use."""
        return exercise.limits or self.limits

    def late_of(self, exercise: Exercise) -> Late | None:
        """When this exercise is due and what lateness costs; None where it is never due."""
        if exercise.due is None:
            return self.late
        return replace(self.late, due=exercise.due) if self.late else Late(exercise.due)

    def ready_made_of(self, exercise: Exercise) -> ReadyMade:
        """What happens to ready-made names in answers to this exercise."""
        return replace(self.ready_made, policy=exercise.ready_made or self.ready_made.policy)

    def folder(self, exercise: Exercise) -> Path:
        """Where the hidden side of the exercise lies, or in a handout what stands in for it."""
        return self.root / ("keys" if self.released else "solutions") / exercise.id

    def require_solutions(self) -> None:
        """Raise CourseError in a handout, for what only its maker can do."""
        if self.released:
            raise CourseError(("This is a handout, without solutions and hidden checks: use the course it is from.",))

    def require_answers(self, exercise: Exercise) -> None:
        """Raise CourseError in a handout, which has nothing to mark quizzes, texts and hidden probes with."""
        if self.released:
            raise CourseError((f"{exercise.id}: can only be marked where the course is graded.",))

    def stub_path(self, exercise: Exercise) -> Path:
        """The file a learner opens: a stub, the sheet of a quiz, or the question of a text."""
        return self.root / "exercises" / exercise.file
