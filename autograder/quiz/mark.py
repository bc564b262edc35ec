"""From a sheet's observations to points: one Verdict for each question, one Result for the exercise. Pure."""

from __future__ import annotations

from autograder.course.model import Check, Course
from autograder.quiz.draw import DEFAULT, Draw, Quiz, same_learner
from autograder.quiz.questions import Mark, Question
from autograder.quiz.read import WHOSE
from autograder.quiz.refused import Refused, quoted
from autograder.records import Observation, Observations, Result, Verdict

BLANK = "is not answered yet"


def mark(course: Course, quiz: Quiz, seen: Observations, learner: str, origin: str) -> Result:
    """The Result of one sheet by the numbers of `learner`, whatever the sheet says of itself.

    Where the sheet names somebody else, or nobody, that is said: the answers may be right for other numbers.
    """
    drawn, stray = quiz.draw(learner), _stray(seen, learner)
    other = quiz.draw(stray) if stray is not None else None
    checks: list[Verdict] = []
    slugs: list[str] = []
    verdicts: list[str] = []
    for check in quiz.exercise.checks:
        question, got = drawn[check.id], seen.probes.get(check.id)
        word, marked = _marked(question, got, origin)
        if marked.share < 1 and other and quiz.varies(check.id) and _fits(other, check.id, got):
            said = f"That is right on the sheet {_whose(stray or DEFAULT)}, but not with your numbers."
            marked = Mark(marked.share, said)
        checks.append(_verdict(check, marked))
        verdicts.append(word)
        slugs += marked.slugs
    wrong = [(word, each) for word, each in zip(verdicts, checks, strict=True) if word != "OK"]
    named = tuple(dict.fromkeys(slugs))
    families = {family.name for slug in named if (family := course.family_of(slug))}
    return Result(
        learner=learner,
        exercise=quiz.exercise.id,
        points=round(sum(check.points for check in checks), 6),
        max_points=quiz.exercise.points,
        verdict=_worst(verdicts),
        misconceptions=named,
        family=families.pop() if len(families) == 1 else None,
        message=_summary(wrong, len(checks)),
        flags=() if stray is None else (_note(stray, learner),),
        checks=tuple(checks),
    )


def _marked(question: Question, got: Observation | None, origin: str) -> tuple[str, Mark]:
    """A verdict word and the mark of one question."""
    if got is None:
        return "NOT_DEFINED", Mark(0.0, "is not on the sheet; take a fresh one and type the answers into it.")
    if got.outcome != "returned":
        return "WRONG_TYPE", Mark(0.0, f"{origin}: {got.detail}.")
    text = str(got.parts["answer"])
    if not text:
        return "NOT_DEFINED", Mark(0.0, f"{BLANK}.")
    try:
        marked = question.mark(text)
    except Refused as refusal:
        return "WRONG_TYPE", Mark(0.0, f"{origin}:{got.parts['line']!r}: {refusal}.")
    return "OK" if marked.share == 1 else "WRONG_VALUE", marked


def _verdict(check: Check, marked: Mark) -> Verdict:
    points = round(check.points * marked.share, 6)
    says = " ".join(marked.says.split())  # authors write long ones over several lines
    return Verdict(check.id, True, marked.share == 1, points, check.points, says)


def _worst(verdicts: list[str]) -> str:
    """One word for the sheet: a wrong answer before one that cannot be read before one that is missing."""
    return next((word for word in ("WRONG_VALUE", "WRONG_TYPE", "NOT_DEFINED") if word in verdicts), "OK")


def _summary(wrong: list[tuple[str, Verdict]], count: int) -> str:
    """What to talk about: the first question that was answered and is wrong."""
    if len(wrong) == count and all(word == "NOT_DEFINED" for word, _ in wrong):
        return f"The sheet {BLANK}."
    answered = [check for word, check in wrong if word != "NOT_DEFINED"] or [check for _, check in wrong]
    return f"{answered[0].id}: {answered[0].message}" if answered else ""


def owner(seen: Observations) -> str:
    """The learner that a sheet names as its own, for nobody's marks but one's own; DEFAULT where it names nobody."""
    return str(seen.probes[WHOSE].parts["learner"]) if WHOSE in seen.probes else DEFAULT


def _stray(seen: Observations, learner: str) -> str | None:
    """Whose sheet this is, where it is not the learner's; None where it is."""
    return None if same_learner(owner(seen), learner) else owner(seen)


def _fits(other: Draw, name: str, got: Observation | None) -> bool:
    return got is not None and _marked(other[name], got, "")[0] == "OK"


def _whose(learner: str) -> str:
    return f"of {quoted(learner)}" if learner else "that everybody has"


def _note(stray: str, learner: str) -> str:
    """What a person should know about a sheet that is not the learner's."""
    marked = f"the own numbers {_whose(learner)}" if learner else f"the numbers {_whose(learner)}"
    return f"this is the sheet {_whose(stray)}; what varies was marked by {marked}"
