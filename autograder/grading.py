"""A class's way through it, in two steps with the ledger between them.

`run_class` runs what has not been run yet and writes down what was answered, `mark_class` judges the ledger. So a
killed run resumes, and a class is marked again without running anybody's code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from socket import socket
from threading import Lock

from autograder import keys, papers
from autograder.checking import Progress
from autograder.course.model import Course, Exercise
from autograder.judge.earlier import with_earlier
from autograder.judge.key import Key
from autograder.judge.score import is_right
from autograder.lanes import spread
from autograder.ledger import Answer, Handed, Ledger
from autograder.marking import for_learner, judged, versions
from autograder.quiz.draw import DEFAULT, Quiz, load_quiz
from autograder.records import Result, Submission, Upload
from autograder.running import answered, opened, run_alone, was_run
from autograder.sandbox.isolation import NONE
from autograder.sandbox.launch import Zygote
from autograder.sandbox.run import Task, observe_together
from autograder.texts.load import Text, load_text

#: How many different answers the judge remembers: in a class, most answers have been seen before.
REMEMBERED = 4096
#: Marks every result whose submission nothing held in.
UNWALLED = "This was run without isolation."


@dataclass(frozen=True)
class Plan:
    """What a class is graded with: code exercises with their keys, quizzes, texts, and what is asked."""

    course: Course
    exercises: Sequence[Exercise]
    """Those that everybody gets a result for, in the order of course.yaml."""
    keys: dict[str, Key]
    tasks: dict[str, Task]
    quizzes: dict[str, Quiz]
    texts: dict[str, Text]
    asked: dict[str, str]
    remembered: dict[tuple[str, str], Result] = field(default_factory=dict)


def plan(
    course: Course,
    lanes: list[socket] | None,
    progress: Progress = lambda *_: None,
    only: Collection[str] | None = None,
) -> Plan | None:
    """Load all quizzes and texts and compile the keys of all code exercises, hidden probes included.

    `only` names the code exercises that somebody has handed in, where that is known. Without lanes: None where the
    cache lacks a key. Raises CourseError where one cannot be compiled.
    """
    secret = keys.course_secret(course)
    quizzes = {each.id: load_quiz(course, each) for each in course.exercises if each.kind == "quiz"}
    only_texts = plan_texts(course)
    code = [exercise for exercise in course.exercises if exercise.kind == "code"]
    exercises = [exercise for exercise in code if only is None or exercise.id in only]

    def one(exercise: Exercise, lane: socket | None) -> Key | None:
        key = keys.compile_key(course, exercise, secret, lane)
        return key and keys.compile_pairs(course, exercise, key, lane)

    found: dict[str, Key] = {}
    for exercise, key in zip(exercises, spread(one, exercises, lanes or [None]), strict=True):
        if key is None:
            return None
        found[exercise.id] = key
        progress("preparing keys", len(found), len(exercises))
    asked = {each.id: keys.asked(course, each, found[each.id].probes) for each in exercises}
    asked |= dict.fromkeys(quizzes, papers.SHEET_FORMAT) | only_texts.asked
    tasks = {each.id: keys.task_for(course, each, "", found[each.id].probes) for each in exercises}
    return Plan(course, course.exercises, found, tasks, quizzes, only_texts.texts, asked)


def plan_texts(course: Course) -> Plan:
    """The part of a plan that needs no key: what a person marks. Raises CourseError where a text cannot be loaded."""
    exercises = [exercise for exercise in course.exercises if exercise.kind == "text"]
    texts = {exercise.id: load_text(course, exercise) for exercise in exercises}
    return Plan(course, exercises, {}, {}, {}, texts, dict.fromkeys(texts, papers.TEXT_FORMAT))


def run_class(
    plan: Plan,
    uploads: Iterable[Upload],
    ledger: Ledger,
    zygote: Zygote,
    *,
    alone: bool = False,
    total: int = 0,
    progress: Progress = lambda *_: None,
) -> None:
    """Run what the ledger does not hold yet, and write every answer down as soon as it is there.

    The exercises of one upload share a worker, as far as their files can be seen not to disturb each other. What is not
    right there is run again in a worker of its own, and only that counts. `alone` gives every exercise its own from
    the start. The answers are the same.
    """

    lock = Lock()
    unwalled = (UNWALLED,) if zygote.isolation.level == NONE else ()

    def handed() -> Iterator[Upload]:
        for upload in uploads:
            with lock:
                ledger.add_upload(upload)
            yield upload

    def one(upload: Upload, lane: socket | None) -> None:
        assert lane
        with lock:
            wanted = {(s.exercise, s.sha256): s for s in _counting(plan, upload, ledger)}
            todo = [s for s in wanted.values() if not ledger.holds(s, plan.asked[s.exercise])]
        for answer in _run_upload(plan, todo, lane, alone=alone):
            if was_run(answer.seen()):
                with lock:
                    ledger.add_answer(replace(answer, notes=(*unwalled, *answer.notes)))

    try:
        for count, _ in enumerate(spread(one, handed(), zygote.lanes, zygote.kill), start=1):
            progress("running", count, total)
    finally:
        ledger.sync()


def _counting(plan: Plan, upload: Upload, ledger: Ledger) -> Iterator[Submission]:
    """What has to be known about a learner: this upload, and where the best attempt counts, the earlier ones too."""
    if plan.course.attempts == "best":
        yield from (earlier for earlier in ledger.earlier(upload.learner) if earlier.exercise in plan.asked)
    yield from upload.submissions


def _run_upload(plan: Plan, todo: Sequence[Submission], lane: socket, *, alone: bool) -> Iterator[Answer]:
    """The answers of one upload's submissions. A quiz or a text has nothing to run."""
    yield from (papers.read_sheet(each) for each in todo if each.exercise in plan.quizzes)
    yield from (papers.read_text(each) for each in todo if each.exercise in plan.texts)
    todo = [each for each in todo if each.exercise in plan.keys]
    done: set[Submission] = set()
    if not alone and len(todo) > 1:
        for submission, answer in _run_together(plan, todo, lane):
            done.add(submission)
            yield answer
    for submission in todo:
        if submission not in done:
            yield run_alone(plan.tasks[submission.exercise], submission, plan.asked[submission.exercise], lane)


def _run_together(plan: Plan, todo: Sequence[Submission], lane: socket) -> Iterator[tuple[Submission, Answer]]:
    """The answers that count although their submissions share a worker."""
    found = [(each, *opened(each, plan.asked[each.exercise])) for each in todo]
    readable = [(submission, text, answer) for submission, text, answer in found if text is not None]
    tasks = [replace(plan.tasks[submission.exercise], source=text) for submission, text, _ in readable]
    used = [plan.keys[submission.exercise] for submission, _, _ in readable]
    shared = observe_together(lane, tasks, lambda number, probe, got: is_right(used[number], probe, got))
    for (submission, _, answer), seen in zip(readable, shared, strict=True):
        if seen:
            yield submission, answered(answer, seen)


def mark_class(plan: Plan, ledger: Ledger) -> Iterator[Result]:
    """Judge the ledger: a result for every learner and exercise, in the order of names and of course.yaml."""
    stamp = versions(plan.course)
    for handed in ledger.uploads():
        attempts: dict[str, list[Answer]] = defaultdict(list)
        for attempt in ledger.attempts(handed.learner):
            attempts[attempt.exercise].append(attempt)
        if handed.refused is not None:
            most = sum(exercise.points for exercise in plan.exercises)
            yield Result(handed.learner, None, 0.0, most, "REFUSED", message=handed.refused, attempts=0, versions=stamp)
            if plan.course.attempts == "last" or not attempts:
                continue
        results = [_mark_attempts(plan, exercise, handed, attempts[exercise.id], stamp) for exercise in plan.exercises]
        yield from with_earlier(plan.exercises, results)


def _mark_attempts(
    plan: Plan, exercise: Exercise, handed: Handed, attempts: list[Answer], stamp: dict[str, str]
) -> Result:
    """The result of the attempt that counts: the one handed in last, or the best one, as course.yaml says."""
    if not attempts:  # as for most exercises of most learners
        return _unmarked(exercise, handed, 0, stamp)
    different = len({attempt.sha256 for attempt in attempts})
    current = [attempt for attempt in attempts if attempt.asked == plan.asked[exercise.id]]
    latest = [attempt for attempt in current if attempt.sha256 == handed.sources.get(exercise.id)]
    counting = current if plan.course.attempts == "best" else latest
    if exercise.id in plan.texts and any(attempt.given is None for attempt in latest):
        counting = latest  # a new text is marked before it is compared with an earlier one
    if not counting:
        return _unmarked(exercise, handed, different, stamp)
    marked = []
    for each in counting:
        came = _earliest(attempt.received for attempt in attempts if attempt.sha256 == each.sha256)
        marked.append(for_learner(plan.course, exercise, each, _remembered(plan, exercise, each), came, different))
    return max(reversed(marked), key=lambda result: result.points)


def _unmarked(exercise: Exercise, handed: Handed, different: int, stamp: dict[str, str]) -> Result:
    """The result of an exercise of which no answer counts, so many different ones having been handed in before."""
    missing = exercise.id not in handed.sources
    verdict = "NOT_SUBMITTED" if missing else "NOT_GRADED"
    why = "was not handed in" if missing else "has not been run with these probes; grade the class again"
    return Result(
        handed.learner, exercise.id, 0.0, exercise.points, verdict, message=f"{exercise.file} {why}.",
        attempts=different, versions=stamp,
    )  # fmt: skip


def _earliest(times: Iterable[str | None]) -> str | None:
    """The first of these times: what was there once does not become late by being copied."""
    known = {time for time in times if time is not None}
    return min(known, key=datetime.fromisoformat) if len(known) > 1 else next(iter(known), None)


def _remembered(plan: Plan, exercise: Exercise, answer: Answer) -> Result:
    """The mark of one answer; judging is pure, so an answer seen before is not judged again."""
    try:
        if quiz := plan.quizzes.get(exercise.id):  # everybody may have other numbers
            whose = answer.learner if plan.course.quiz_numbers == "own" else DEFAULT
            return papers.mark_sheet(plan.course, quiz, answer, whose)
        if text := plan.texts.get(exercise.id):
            return papers.mark_text(plan.course, text, answer)
        place = (exercise.id, answer.digest)
        known = plan.remembered.get(place) if not answer.unreadable else None
        if known is None:
            known = judged(plan.course, exercise, plan.keys[exercise.id], answer)
            if len(plan.remembered) < REMEMBERED:
                plan.remembered[place] = known
        return known
    except Exception as bug:  # ours; it may cost this answer its mark for now, and nobody else theirs
        why = f"{exercise.file} could not be judged, by a bug in headcount ({type(bug).__name__}): please report it."
        stamp = versions(plan.course)
        return Result("", exercise.id, 0.0, exercise.points, "NOT_GRADED", message=why, versions=stamp)
