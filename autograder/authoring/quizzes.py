"""Prove that a quiz is sound, whosever numbers it has: the right answers are right, and the wrong ones are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from autograder.authoring import stubs
from autograder.course.errors import ContentError, did_you_mean, display
from autograder.course.model import Course, Exercise
from autograder.quiz.draw import DEFAULT, Draw, Quiz, load_quiz
from autograder.quiz.mark import mark
from autograder.quiz.nodes import UnreadableSheet
from autograder.quiz.questions import Question
from autograder.quiz.read import read_sheet
from autograder.quiz.refused import Refused
from autograder.quiz.sheet import asked, sheet
from autograder.records import Result

#: Names that nobody has. Each draws a variant, and all of them are verified.
LEARNERS = tuple(f"learner {number}" for number in range(120))
#: How many of those variants have to differ, so that few neighbours share one.
DISTINCT = 50
#: How many faults of one question are told: in every variant it may have another one.
SHOWN = 3
#: Whose sheets are filled in, read and marked from first to last; the others' questions are marked one by one.
WHOLE = (DEFAULT, LEARNERS[0])


def quiz_problems(course: Course, exercise: Exercise) -> Iterator[str]:
    """Everything that is wrong with one quiz."""
    place = display(course.folder(exercise) / "quiz.py")
    try:
        quiz = load_quiz(course, exercise)
        draws = {learner: quiz.draw(learner) for learner in (DEFAULT, *LEARNERS)}
        yield from stubs.drift(course, exercise)
    except ContentError as error:
        yield from error.problems
        return
    found = False
    for name in quiz.functions:
        drawn = [draws[learner][name] for learner in draws]
        faults = Counter(fault for question in drawn for fault in _faults(course, question))
        found = found or bool(faults)
        for fault, count in list(faults.items())[:SHOWN]:
            yield f"{place}: {name} {fault}" + ("." if count == len(drawn) else f" (for {count} of {len(drawn)}).")
    if not found:
        yield from (f"{place}: {problem}" for problem in _variants(quiz, draws))
        yield from (f"{place}: {problem}" for learner in WHOLE for problem in _whole(course, quiz, learner))


def _faults(course: Course, question: Question) -> Iterator[str]:
    """What is wrong with one question as one learner gets it."""
    try:
        yield from question.faults()
        if question.mark(question.model).share != 1:
            yield f"does not take its own right answer, {question.model}"
    except Refused as refusal:
        yield f"has an answer that cannot be typed: it {refusal}"
    for slug in question.slugs:
        if course.family_of(slug) is None:
            near = did_you_mean(slug, [known for family in course.families for known in family.slugs])
            yield f"names '{slug}', which no family in course.yaml lists.{near}".removesuffix(".")


def _variants(quiz: Quiz, draws: Mapping[str, Draw]) -> Iterator[str]:
    """Questions that vary too little, and draws that are not the same twice."""
    for name in quiz.functions:
        kinds = len({_seen(draws[learner][name]) for learner in LEARNERS})
        if quiz.varies(name) and kinds < DISTINCT:
            yield f"{name} takes rng and has {kinds} variants among {len(LEARNERS)} learners; {DISTINCT} are needed"
    if any(quiz.draw(learner) != draws[learner] for learner in WHOLE[1:]):
        yield "draws other questions the second time; take all chance from rng"


def _seen(question: Question) -> tuple[str, ...]:
    return asked(question), *question.options


def _whole(course: Course, quiz: Quiz, learner: str) -> Iterator[str]:
    """Whether a perfect sheet gets all points and an empty one none."""
    draw = quiz.draw(learner)
    try:
        perfect = _marked(course, quiz, learner, {name: question.model for name, question in draw.items()})
        empty = _marked(course, quiz, learner, {})
    except UnreadableSheet as problem:
        yield f"the sheet cannot be read back, line {problem}"
        return
    if perfect.verdict != "OK" or perfect.points != quiz.exercise.points:
        yield f"a perfect sheet gets {perfect.points:g} of {quiz.exercise.points:g} points: {perfect.message}"
    if empty.points or any(check.passed for check in empty.checks):
        yield f"an empty sheet gets {empty.points:g} points"


def _marked(course: Course, quiz: Quiz, learner: str, answers: Mapping[str, str]) -> Result:
    seen = read_sheet(sheet(quiz, learner, answers), quiz.exercise.id)
    return replace(mark(course, quiz, seen, learner, "sheet"), learner=learner)
