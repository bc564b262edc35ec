"""From what somebody wrote to a Result. Words are counted; what they are worth is for a person to say. Pure."""

from __future__ import annotations

from dataclasses import replace

from autograder.records import Observation, Observations, Result
from autograder.texts.load import LINE, Text

#: Raise when texts are read in another way, so that they are read again.
FORMAT = "text 1"
#: A text that is so many times too short or too long is sent back before anybody marks it.
FAR = 2
_WRITTEN = "written"


def read_text(source: str) -> Observations:
    """The one observation of a text: how many words it has."""
    return Observations({_WRITTEN: Observation(_WRITTEN, "returned", parts={"words": count(answer(source))})})


def answer(source: str) -> str:
    """What stands below the line; everything, where somebody took the line away."""
    head, line, below = source.partition(LINE)
    return (below if line else head).strip()


def with_answer(source: str, text: str) -> str:
    """The file with another answer below the line; nothing but the answer, where somebody took the line away."""
    head, line, _ = source.partition(LINE)
    below = f"{text.strip()}\n" if text.strip() else ""
    return f"{head}{line}\n\n{below}" if line else below


def count(text: str) -> int:
    """How many words a text has: what stands between spaces and has a letter or digit."""
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def words_in(seen: Observations) -> int:
    """How many words were counted when the text was read."""
    return int(str(seen.probes[_WRITTEN].parts["words"]))


def length_note(text: Text, words: int) -> str:
    """What there is to say about the length; empty where it is as asked."""
    least, most = text.exercise.words
    return "" if least <= words <= most else f"{words} words, where {text.length} are asked for"


def mark(text: Text, seen: Observations, learner: str, points: float | None = None, comment: str = "") -> Result:
    """The Result of one text with the points that a person gave it; None while nobody has. Only nothing is nothing."""
    words = words_in(seen)
    note = length_note(text, words)
    verdict, message = "TO_BE_MARKED", f"{words} words, to be marked by a person."
    if not words:
        verdict, message, note, points = "NOT_DEFINED", "Nothing is written below the line yet.", "", None
    elif points is not None:
        verdict, message = "OK" if points == text.exercise.points else "MARKED", comment
    return Result(
        learner, text.exercise.id, points or 0.0, text.exercise.points, verdict,
        message=message, flags=(note,) if note else (), versions={"key": text.version},
    )  # fmt: skip


def send_back(text: Text, seen: Observations, result: Result) -> Result:
    """The result as its learner reads it before it is marked. A text of quite another length is not marked yet."""
    words = words_in(seen)
    least, most = text.exercise.words
    note = length_note(text, words) or f"{words} words, as asked"
    verdict, advice = result.verdict, ""
    if words * FAR < least:
        verdict, advice = "TOO_SHORT", " Say more, then check again."
    elif words > most * FAR:
        verdict, advice = "TOO_LONG", " Keep what carries the explanation, then check again."
    return replace(result, verdict=verdict, message=f"{note}.{advice}", flags=())
