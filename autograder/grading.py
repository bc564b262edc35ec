"""The one place where the flow is wired: collect -> run -> judge -> results.

`check` is the learner's way through it: own machine, shown probes, one file. An instructor's class goes through it in
two steps with the ledger between them: `run_class` runs what has not been run yet and writes down what was answered,
`mark_class` judges the ledger. So a killed run resumes, and a class is marked again without running anybody's code.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from socket import socket
from threading import Lock

import autograder
from autograder import keys
from autograder.course.errors import CourseError
from autograder.course.model import Course, Exercise
from autograder.judge.earlier import with_earlier
from autograder.judge.key import Key
from autograder.judge.late import kept_share, late_days
from autograder.judge.score import is_right, judge
from autograder.lanes import spread
from autograder.ledger import Answer, Handed, Ledger
from autograder.quiz.draw import DEFAULT, Quiz, load_quiz
from autograder.quiz.mark import mark, owner
from autograder.quiz.nodes import UnreadableSheet
from autograder.quiz.read import FORMAT, read_sheet
from autograder.records import Library, Observations, Result, Submission, Upload
from autograder.sandbox.launch import Zygote
from autograder.sandbox.run import observe, observe_together
from autograder.sandbox.walls import FULL, NONE
from autograder.submissions.text import UnreadableSource, decode
from autograder.texts.load import Text, load_text
from autograder.texts.mark import FORMAT as TEXT_FORMAT
from autograder.texts.mark import mark as mark_text
from autograder.texts.mark import read_text, send_back

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and how many there are (0 where nobody knows)."""
#: How often a submission that the machine failed to run is tried again before it stays ungraded.
RETRIES = 2
#: How many different answers the judge remembers: in a class, most answers have been seen before.
REMEMBERED = 4096
#: Verdicts behind which two misconceptions at once may be hidden.
UNEXPLAINED = ("WRONG_VALUE", "NAN")
#: Marks every result whose submission nothing held in.
UNWALLED = "This was run without isolation."


def check(
    course: Course,
    exercise: Exercise,
    source: bytes,
    origin: str,
    progress: Progress = lambda *_: None,
    zygote: Zygote | None = None,
) -> tuple[Result, str]:
    """Judge one learner's file on the shown probes; the result, and what the file printed.

    A zygote that runs already, with the exercise's library, saves starting one. Raises CourseError where that library
    is not installed.
    """
    submission = Submission("you", exercise.id, source, origin)
    with _prepared(course, exercise, progress, zygote) as (key, lane):
        answer = _run_alone(course, key, submission, keys.asked(course, exercise, key.probes), lane)
        result = _judged(course, exercise, key, answer)
        if result.verdict in UNEXPLAINED and not result.misconceptions:
            progress("looking for two things at once", 0, 0)
            key = keys.compile_pairs(course, exercise, key, lane) or key
            result = _judged(course, exercise, key, answer)
        return _for_learner(course, exercise, answer, result, answer.received), answer.seen().printed


def answers(
    course: Course, exercise: Exercise, source: bytes, origin: str, progress: Progress = lambda *_: None
) -> tuple[Key, Observations]:
    """What one learner's file answers to the shown probes, without judging it, and the key to them.

    Raises CourseError where the file is no text, or the exercise's library is not installed.
    """
    submission = Submission("you", exercise.id, source, origin)
    with _prepared(course, exercise, progress) as (key, lane):
        answer = _run_alone(course, key, submission, keys.asked(course, exercise, key.probes), lane)
    if answer.unreadable:
        raise CourseError((answer.unreadable,))
    return key, answer.seen()


@contextmanager
def _prepared(
    course: Course, exercise: Exercise, progress: Progress, zygote: Zygote | None = None
) -> Iterator[tuple[Key, socket]]:
    """The key to the shown probes of one exercise, and a lane of workers for it."""
    key = keys.compile_key(course, exercise, None, None)
    with nullcontext(zygote) if zygote else workers([exercise], lanes=1, warm=key is None) as zygote:
        (lane,) = zygote.lanes
        if key is None:
            progress("preparing, once", 0, 0)
            key = keys.compile_key(course, exercise, None, lane)
        assert key
        yield key, lane


def run_and_judge(
    course: Course, exercise: Exercise, key: Key, submission: Submission, lane: socket
) -> tuple[Result, str]:
    """One submission through a worker of its own and the judge; the result, and what it printed."""
    answer = _run_alone(course, key, submission, keys.asked(course, exercise, key.probes), lane)
    result = _judged(course, exercise, key, answer)
    return _for_learner(course, exercise, answer, result, answer.received), answer.seen().printed


def check_sheet(course: Course, exercise: Exercise, source: bytes, origin: str) -> Result:
    """Judge one learner's quiz, by the numbers that the sheet says it has: at home there is nobody to deceive.

    Raises CourseError where the answers are not here, as in a handout.
    """
    _require_answers(course, exercise)
    quiz = load_quiz(course, exercise)
    answer = _read(Submission("you", exercise.id, source, origin))
    return replace(_marked_sheet(course, quiz, answer, owner(answer.seen())), learner="you")


def check_text(course: Course, exercise: Exercise, source: bytes, origin: str) -> Result:
    """How long one learner's text is: what it is worth they say themselves. One far too short or long is sent back.

    Raises CourseError where its rubric is not here, as in a handout.
    """
    _require_answers(course, exercise)
    text = load_text(course, exercise)
    answer = _read_text(Submission("you", exercise.id, source, origin))
    result = _marked_text(course, text, answer)
    return send_back(text, answer.seen(), result) if result.verdict == "TO_BE_MARKED" else result


def _require_answers(course: Course, exercise: Exercise) -> None:
    """Raise CourseError in a handout, where quizzes and texts have nothing to be marked with."""
    if course.released:
        raise CourseError((f"{exercise.id}: can only be marked where the course is graded.",))


@dataclass(frozen=True)
class Plan:
    """What a class is graded with: code exercises with their keys, quizzes, texts, and what is asked."""

    course: Course
    keys: dict[str, Key]
    quizzes: dict[str, Quiz]
    texts: dict[str, Text]
    asked: dict[str, str]
    remembered: dict[tuple[str, str], Result] = field(default_factory=dict)

    @property
    def exercises(self) -> list[Exercise]:
        """The exercises in the order of course.yaml."""
        return [exercise for exercise in self.course.exercises if exercise.id in self.asked]


def plan(
    course: Course,
    lanes: list[socket] | None,
    progress: Progress = lambda *_: None,
    only: Collection[str] | None = None,
) -> Plan | None:
    """Load all quizzes and texts and compile the keys of all code exercises, hidden probes included.

    `only` names the code exercises that are wanted. Without lanes: None where the cache lacks a key. Raises CourseError
    where one cannot be compiled.
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
    asked |= dict.fromkeys(quizzes, FORMAT) | only_texts.asked
    return Plan(course, found, quizzes, only_texts.texts, asked)


def plan_texts(course: Course) -> Plan:
    """The part of a plan that needs no key: what a person marks. Raises CourseError where a text cannot be loaded."""
    texts = {each.id: load_text(course, each) for each in course.exercises if each.kind == "text"}
    return Plan(course, {}, {}, texts, dict.fromkeys(texts, TEXT_FORMAT))


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
            if _was_run(answer.seen()):
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
    yield from (_read(each) for each in todo if each.exercise in plan.quizzes)
    yield from (_read_text(each) for each in todo if each.exercise in plan.texts)
    todo = [each for each in todo if each.exercise in plan.keys]
    together: dict[Submission, Observations] = {}
    if not alone and len(todo) > 1:
        readable = [(submission, text) for submission in todo if (text := _text(submission)) is not None]
        used = [plan.keys[each.exercise] for each, _ in readable]
        tasks = [
            keys.task_for(plan.course, plan.course.exercise(each.exercise), text, key.probes)
            for (each, text), key in zip(readable, used, strict=True)
        ]
        shared = observe_together(lane, tasks, lambda number, probe, got: is_right(used[number], probe, got))
        together = {submission: seen for (submission, _), seen in zip(readable, shared, strict=True) if seen}
    for submission in todo:
        asked = plan.asked[submission.exercise]
        if seen := together.get(submission):
            yield _answer(submission, asked, seen)
        else:
            yield _run_alone(plan.course, plan.keys[submission.exercise], submission, asked, lane)


def _run_alone(course: Course, key: Key, submission: Submission, asked: str, lane: socket) -> Answer:
    """One submission in a worker of its own; tried again where the machine failed to run it."""
    text = _text(submission)
    if text is None:
        return _answer(submission, asked, Observations({}))
    task = keys.task_for(course, course.exercise(submission.exercise), text, key.probes)
    seen = observe(lane, task)
    for _ in range(RETRIES):
        if _was_run(seen):
            break
        seen = observe(lane, task)
    return _answer(submission, asked, seen)


def _read(submission: Submission) -> Answer:
    """One sheet of a quiz: what was typed on it."""
    answer = _answer(submission, FORMAT, Observations({}))
    text = _text(submission)
    if text is None:
        return answer
    try:
        seen = read_sheet(text, submission.exercise)
    except UnreadableSheet as problem:
        return replace(answer, unreadable=f"{submission.origin}:{problem}.")
    return replace(answer, seen=lambda: seen)


def _read_text(submission: Submission) -> Answer:
    """One text: how long it is. The text itself is kept with every answer."""
    text = _text(submission)
    return _answer(submission, TEXT_FORMAT, read_text(text) if text is not None else Observations({}))


def _was_run(seen: Observations) -> bool:
    return all(each.outcome != "not_run" for each in seen.probes.values())


def _text(submission: Submission) -> str | None:
    try:
        return decode(submission.source)[0]
    except UnreadableSource:
        return None


def _answer(submission: Submission, asked: str, seen: Observations) -> Answer:
    unreadable = ""
    notes: tuple[str, ...] = ()
    try:
        _, notice = decode(submission.source)
        notes = (notice,) if notice else ()
    except UnreadableSource as problem:
        unreadable = f"{submission.origin}: {problem}"
    return Answer(
        submission.learner, submission.exercise, submission.sha256, asked, submission.origin, submission.received,
        lambda: seen, unreadable, notes, source=submission.source,
    )  # fmt: skip


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
        results = [
            _mark_attempts(plan, exercise, handed, attempts.get(exercise.id, []), stamp) for exercise in plan.exercises
        ]
        yield from with_earlier(plan.exercises, results)


def _mark_attempts(
    plan: Plan, exercise: Exercise, handed: Handed, attempts: list[Answer], stamp: dict[str, str]
) -> Result:
    """The result of the attempt that counts: the one handed in last, or the best one, as course.yaml says."""
    different = len({attempt.sha256 for attempt in attempts})
    current = [attempt for attempt in attempts if attempt.asked == plan.asked[exercise.id]]
    latest = [attempt for attempt in current if attempt.sha256 == handed.sources.get(exercise.id)]
    counting = current if plan.course.attempts == "best" else latest
    if exercise.id in plan.texts and any(attempt.given is None for attempt in latest):
        counting = latest  # a new text is marked before it is compared with an earlier one
    if not counting:
        missing = exercise.id not in handed.sources
        verdict = "NOT_SUBMITTED" if missing else "NOT_GRADED"
        why = "was not handed in" if missing else "has not been run with these probes; grade the class again"
        return Result(
            handed.learner, exercise.id, 0.0, exercise.points, verdict, message=f"{exercise.file} {why}.",
            attempts=different, versions=stamp,
        )  # fmt: skip
    marked = []
    for each in counting:
        came = _earliest(attempt.received for attempt in attempts if attempt.sha256 == each.sha256)
        marked.append(_for_learner(plan.course, exercise, each, _remembered(plan, exercise, each), came, different))
    return max(reversed(marked), key=lambda result: result.points)


def _earliest(times: Iterable[str | None]) -> str | None:
    """The first of these times: what was there once does not become late by being copied."""
    known = {time for time in times if time is not None}
    return min(known, key=datetime.fromisoformat) if len(known) > 1 else next(iter(known), None)


def _remembered(plan: Plan, exercise: Exercise, answer: Answer) -> Result:
    """The mark of one answer; judging is pure, so an answer seen before is not judged again."""
    if quiz := plan.quizzes.get(exercise.id):  # everybody may have other numbers
        whose = answer.learner if plan.course.quiz_numbers == "own" else DEFAULT
        return _marked_sheet(plan.course, quiz, answer, whose)
    if text := plan.texts.get(exercise.id):
        return _marked_text(plan.course, text, answer)
    place = (exercise.id, answer.digest)
    known = plan.remembered.get(place) if not answer.unreadable else None
    if known is None:
        known = _judged(plan.course, exercise, plan.keys[exercise.id], answer)
        if len(plan.remembered) < REMEMBERED:
            plan.remembered[place] = known
    return known


def _judged(course: Course, exercise: Exercise, key: Key, answer: Answer) -> Result:
    """What an answer is worth, whoever gave it and whenever."""
    submission = Submission(answer.learner, exercise.id, b"", answer.origin)
    policy = course.ready_made_of(exercise).policy
    return _stamped(
        course, exercise, key.version, answer, lambda: judge(exercise, key, submission, answer.seen(), policy)
    )


def _marked_sheet(course: Course, quiz: Quiz, answer: Answer, learner: str) -> Result:
    """What a sheet is worth by the numbers of `learner`."""
    return _stamped(
        course, quiz.exercise, quiz.version, answer, lambda: mark(course, quiz, answer.seen(), learner, answer.origin)
    )


def _marked_text(course: Course, text: Text, answer: Answer) -> Result:
    """What a text is worth, where a person has said so."""
    given = answer.given
    points = min(given.points, text.exercise.points) if given else None  # the course may have come to give fewer
    comment = given.comment if given else ""
    return _stamped(
        course, text.exercise, text.version, answer,
        lambda: mark_text(text, answer.seen(), answer.learner, points, comment),
    )  # fmt: skip


def _stamped(course: Course, exercise: Exercise, version: str, answer: Answer, judged: Callable[[], Result]) -> Result:
    """The result of an answer, or why it cannot be read, with what that depends on."""
    if answer.unreadable:
        result = Result(answer.learner, exercise.id, 0.0, exercise.points, "SYNTAX_ERROR", message=answer.unreadable)
    else:
        result = judged()
    return replace(result, versions=versions(course) | {"key": version})


def _for_learner(
    course: Course, exercise: Exercise, answer: Answer, result: Result, received: str | None, attempts: int = 1
) -> Result:
    """The same mark for this learner, less what handing in late costs."""
    rule = course.late_of(exercise)
    days = late_days(rule, answer.learner, received)
    points = round(result.points * kept_share(rule, days), 6)
    flags = (*answer.notes, *result.flags)
    return replace(result, learner=answer.learner, points=points, late_days=days, flags=flags, attempts=attempts)


@contextmanager
def workers(
    exercises: Iterable[Exercise], *, lanes: int, preload: Iterable[Library] = (), warm: bool = True
) -> Iterator[Zygote]:
    """A zygote that has imported what these exercises need, and of `preload` what is installed.

    A warm one has also built what many workers would otherwise build again and again; a single check is faster cold.
    """
    needed = {exercise.library for exercise in exercises}
    if "torch" in needed and keys.library_version("torch") == "none":
        raise CourseError(("This needs torch, which is not installed here: pip install -c constraints.txt torch",))
    libraries = {"numpy"} | needed | {name for name in preload if keys.library_version(name) != "none"}
    highest = int(os.environ.get("HEADCOUNT_HIGHEST_ISOLATION", FULL))  # lower, to see what a weaker machine does
    with Zygote(lanes, sorted(libraries), warm=warm, highest=highest) as zygote:
        yield zygote


def versions(course: Course) -> dict[str, str]:
    """What a result depends on besides the submission."""
    return {
        "engine": autograder.__version__,
        "course": course.sha256[:12],
        "numpy": keys.library_version("numpy"),
        "torch": keys.library_version("torch"),
    }
