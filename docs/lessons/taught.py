"""What is taught where: passages of the two source lessons, and the exercises that teach their lines."""

from __future__ import annotations

from typing import NamedTuple

from autograder.course.model import Course, Exercise


class Passage(NamedTuple):
    """Lines first..last of a source lesson, what they are about, and the stage that tells what cannot be graded."""

    first: int
    last: int
    about: str
    told_in: str = ""

    def graded_by(self, course: Course, source: str) -> list[Exercise]:
        """The exercises that teach one of these lines."""
        lines = range(self.first, self.last + 1)
        return [each for each in course.exercises if any(line in lines for line in each.seeds.get(source, ()))]


SOURCES = {
    "S1": (
        Passage(5, 32, "two heads, built by hand, on one sentence"),
        Passage(37, 46, "how to read their patterns"),
        Passage(48, 52, "trained heads find jobs of their own"),
        Passage(54, 64, "all heads at once, by changing shapes"),
        Passage(66, 93, "the module, and what it prints"),
        Passage(95, 95, "seeded numbers differ from one torch to another", told_in="C"),
        Passage(97, 121, "counting parameters"),
        Passage(123, 132, "split and merge, number by number"),
        Passage(134, 136, "sizes of real models"),
        Passage(138, 138, "shared keys and values, and the KV cache"),
    ),
    "S2": (
        Passage(3, 6, "why one pattern is not enough, and what several cost"),
        Passage(7, 8, "a committee that splits up"),
        Passage(9, 32, "the split with every shape written down"),
        Passage(33, 34, "what heads of trained models were found to do"),
        Passage(35, 37, "the bug that does not crash"),
        Passage(38, 38, "16 heads, loaded as 12"),
    ),
}


def page(course: Course, stage: str) -> str:
    """The file name of a stage's lesson: its letter and its title."""
    titles = {each.letter: each.title for each in course.stages}
    return f"{stage}_{titles[stage]}".lower().replace(" ", "_") + ".md"


def table(course: Course) -> str:
    """Both source lessons, passage by passage, in Markdown."""
    blocks = []
    for (source, passages), which in zip(SOURCES.items(), ("First", "Second"), strict=True):
        rows = [f"| {which} source lesson | about | taught and graded in |", "| --- | --- | --- |"]
        rows += [f"| {_lines(each)} | {each.about} | {_places(course, source, each)} |" for each in passages]
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks)


def _lines(passage: Passage) -> str:
    return f"line {passage.first}" if passage.first == passage.last else f"lines {passage.first}-{passage.last}"


def _places(course: Course, source: str, passage: Passage) -> str:
    """Links to the pages, each with its exercises; or to the page that tells it, where there is nothing to grade."""
    by_stage: dict[str, list[str]] = {}
    for each in passage.graded_by(course, source):
        by_stage.setdefault(each.stage, []).append(each.short)
    graded = [f"[{stage}]({page(course, stage)}): {', '.join(short)}" for stage, short in by_stage.items()]
    return "; ".join(graded) or f"[{passage.told_in}]({page(course, passage.told_in)}), told and not graded"
