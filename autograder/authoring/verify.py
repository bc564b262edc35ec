"""Prove that a course is sound: every stub fails, every model answer passes, every misconception is caught and named.

Each problem is one line that says where and what to mend. Nothing here looks at what an exercise is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from socket import socket

from autograder import keys
from autograder.authoring import books, stubs
from autograder.authoring.contract import contract_problems
from autograder.authoring.examples import wrong_examples
from autograder.authoring.quizzes import quiz_problems
from autograder.authoring.texts import text_problems
from autograder.blank import blank
from autograder.checking import run_and_judge
from autograder.course import content
from autograder.course.errors import ContentError, display
from autograder.course.model import Course, Exercise
from autograder.course.stubs import NOT_WRITTEN
from autograder.judge.diagnose import diagnose
from autograder.judge.key import Key, Variant
from autograder.judge.score import judge
from autograder.quiz.draw import DEFAULT, load_quiz
from autograder.records import Observations, Result, Submission
from autograder.running import workers

#: Hidden probes are verified with these draws; an instructor's own secret draws others of the same kind.
SECRET = b"verify"
#: Exceptions that a slip of the pen raises, and no misconception about the subject.
SLIPS = ("AttributeError", "ImportError", "ModuleNotFoundError", "NameError", "SyntaxError", "ZeroDivisionError")


def problems(
    course: Course, exercises: Sequence[Exercise], progress: Callable[[str, int, int], None] = lambda *_: None
) -> Iterator[str]:
    """Everything that is wrong with these exercises of a course whose course.yaml is already valid, cheapest first.

    What concerns the course as a whole is looked at when all its exercises are.
    """
    whole = len(exercises) == len(course.exercises)
    if whole:
        yield from stubs.unlisted(course)
    yield from books.drift(course, exercises)
    for exercise in exercises:
        if exercise.kind == "quiz":
            yield from quiz_problems(course, exercise)
        if exercise.kind == "text":
            yield from text_problems(course, exercise)
    code = [exercise for exercise in exercises if exercise.kind == "code"]
    sound = []
    for exercise in code:
        found = contract_problems(course, exercise, SECRET)
        yield from found
        if not found:
            sound.append(exercise)
    yield from wrong_examples([course.folder(exercise) / "solution.py" for exercise in sound])
    if whole:
        yield from _idle_slugs(course)
    with workers(sound, lanes=1) as zygote:
        (lane,) = zygote.lanes
        for count, exercise in enumerate(sound, start=1):
            try:
                key = keys.compile_key(course, exercise, SECRET, lane)
                assert key
                yield from _answers(course, exercise, key, lane)
            except ContentError as error:
                yield from error.problems
            progress("verifying", count, len(sound))


def _answers(course: Course, exercise: Exercise, key: Key, lane: socket) -> Iterator[str]:
    """Whether stub, model answer and misconceptions get the marks they deserve."""
    folder = course.folder(exercise)
    model = _grade(course, exercise, key, content.solution_source(course, exercise), lane)
    if model.verdict != "OK":
        yield f"{display(folder / 'solution.py')}: the model answer does not get full points: {model.message}"
    untouched = _grade(course, exercise, key, blank(course, exercise), lane)
    if untouched.points or NOT_WRITTEN not in untouched.message:
        yield (
            f"{display(course.stub_path(exercise))}: the untouched stub gets {untouched.points:g} points and hears "
            f"'{untouched.message}'; it must get none and hear that it {NOT_WRITTEN}."
        )
    for style in sorted((folder / "styles").glob("*.py")):
        other = _grade(course, exercise, key, content.read_source(style), lane)
        if other.verdict != "OK":
            yield (
                f"{display(style)}: this right answer does not get full points: {other.message} "
                "Mend it, the model answer, or a probe that asks for more than the exercise says."
            )
    inside = [wrong for wrong in content.misconceptions(course, exercise) if wrong.step not in exercise.defines]
    for wrong in inside[:1]:
        steps = _grade(course, exercise, key, wrong.before, lane)
        if steps.verdict != "OK":
            yield f"{display(folder / 'misconceptions.py')}: the @assembled answer is not right: {steps.message}"
    for variant in key.variants:
        yield from misconception_problems(course, exercise, key, variant)


def _idle_slugs(course: Course) -> Iterator[str]:
    """Slugs that a family lists and no exercise uses, once all misconceptions can be read."""
    try:
        used = {slug for exercise in course.exercises for slug in _slugs(course, exercise)}
    except ContentError:
        return
    for family in course.families:
        for slug in family.slugs:
            if slug not in used:
                yield f"course.yaml: family '{family.name}' lists '{slug}', which no exercise uses."


def _slugs(course: Course, exercise: Exercise) -> Iterator[str]:
    if exercise.kind == "code":
        yield from (wrong.slug for wrong in content.misconceptions(course, exercise))
    elif exercise.kind == "quiz":
        yield from (slug for question in load_quiz(course, exercise).draw(DEFAULT).values() for slug in question.slugs)


def misconception_problems(course: Course, exercise: Exercise, key: Key, variant: Variant) -> Iterator[str]:
    """A misconception has to lose points, and to be named alone or together with its declared twins."""
    wrong = variant.misconception
    home = course.folder(course.exercise(wrong.home))
    inside = f" inside {exercise.id}" if wrong.home != exercise.id else ""
    place = f"{display(home / 'misconceptions.py')}:{wrong.line}: '{wrong.slug}'{inside}"
    crashes = {answer.raised.type if answer.raised else "" for answer in variant.answers.values()}
    if len(crashes) == 1 and (crash := crashes.pop()) in SLIPS:
        yield f"{place} fails with {crash} on every probe, which looks like a slip in it and not like a wrong answer."
        return
    result = judge(exercise, key, _submission(exercise, ""), Observations(variant.answers))
    if result.points >= exercise.points:
        yield (
            f"{place} gets full points: its answers are the model answer's on every probe. "
            "Mend the misconception, the model answer, or add a probe that shows the difference."
        )
        return
    others = set(result.misconceptions) - {wrong.slug, *wrong.same_as}
    if wrong.proves in ("family", "nothing"):
        if wrong.slug not in {each.slug for each in diagnose(key, variant.answers).told}:
            yield f"{place} proves {wrong.proves} and no name, but its own answers hear otherwise: {result.message}"
    elif wrong.slug not in result.misconceptions:
        heard = ": ".join(filter(None, (result.verdict, result.symptom)))
        yield (
            f"{place} is not named by its own answers ({heard}). A name takes wrong numbers, or a crash that goes "
            "away at other sizes. Add a probe that brings them, or say what it `proves`."
        )
    elif others:
        yield (
            f"{place} cannot be told from {', '.join(sorted(others))}. Add a probe that tells them apart, or declare "
            "them same_as each other."
        )


def _grade(course: Course, exercise: Exercise, key: Key, source: str, lane: socket) -> Result:
    result, _ = run_and_judge(course, exercise, key, _submission(exercise, source), lane)
    return result


def _submission(exercise: Exercise, source: str) -> Submission:
    return Submission("verify", exercise.id, source.encode(), f"{exercise.id}.py")
