"""`headcount show`: the learner's own masks and attention patterns, as their file returns them."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from autograder import checking
from autograder.course.errors import CourseError, display
from autograder.course.model import Course, Exercise
from autograder.judge.pictures import drawings
from autograder.records import Drawing
from autograder.report.bar import Bar
from autograder.report.grid import draw_drawing
from autograder.report.png import png_drawings
from autograder.report.spoken import say_drawing
from autograder.report.svg import svg_drawings
from autograder.report.terminal import wrap
from autograder.sandbox.launch import Zygote
from autograder.submissions.own import read_source


def show(
    course: Course,
    exercise: Exercise,
    path: Path,
    svg: Path | None = None,
    png: Path | None = None,
    *,
    plain: bool = False,
    zygote: Zygote | None = None,
) -> bool:
    """Draw what came back for the shown probes, or say it where it is to be plain; False where there was nothing.

    Raises CourseError for an exercise without such squares, and for a picture's name that another file has.
    """
    bar = Bar()
    try:
        drawn, notes = squares(course, exercise, read_source(path, display(path)), display(path), bar, zygote)
    finally:
        bar.close()
    width = shutil.get_terminal_size((100, 24)).columns
    blocks = ["\n".join(say_drawing(each) if plain else draw_drawing(each, width)) for each in drawn]
    blocks += ["\n".join(wrap(note)) for note in notes]
    click.echo("\n\n".join(blocks))
    if svg and drawn:
        _write(svg, svg_drawings(drawn).encode())
    if png and drawn:
        _write(png, png_drawings(drawn))
    return bool(drawn)


def squares(
    course: Course,
    exercise: Exercise,
    source: bytes,
    origin: str,
    bar: checking.Progress,
    zygote: Zygote | None = None,
) -> tuple[list[Drawing], list[str]]:
    """What a source answers to the shown probes, as squares, and why others cannot be drawn.

    Raises CourseError for an exercise without such squares, and where nothing can be run.
    """
    if exercise.kind != "code":
        raise CourseError((_nothing(exercise),))
    found = drawings(*checking.answers(course, exercise, source, origin, bar, zygote))
    if found is None:
        raise CourseError((_nothing(exercise),))
    return found


def _nothing(exercise: Exercise) -> str:
    return f"{exercise.short} asks for no mask and no attention patterns, so there is nothing to draw."


def _write(path: Path, picture: bytes) -> None:
    """Write a picture, over an older one too, but never over somebody's work."""
    if path.is_file() and path.suffix not in (".svg", ".png"):
        raise CourseError((f"{display(path)}: is there already and is no picture; give another name.",))
    path.write_bytes(picture)
    click.echo(f"\nThe picture is in {display(path)}.")
