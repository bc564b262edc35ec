"""The command `headcount`: a table of commands, no logic. What a command does lies in the room it calls."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

import autograder
from autograder.errors import HeadcountError


class Place(click.Path):
    """A file or folder. Nothing, as from a shell variable that is not set, is not the folder where one stands."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Fails where there is no name."""
        if value == "":
            self.fail("is empty; name a file or folder.", param, ctx)
        return super().convert(value, param, ctx)


PLACE = Place(path_type=Path)
PLAIN = click.option("--plain", is_flag=True, help="Sentences without columns and signs, for a screen reader.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program instead of text for a person.")


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(autograder.__version__, prog_name="headcount")
@click.pass_context
def cli(context: click.Context) -> None:
    """Exercises on multi-head attention that tell you which misconception your numbers come from.

    Without a command: where you are and what is next.
    """
    if context.invoked_subcommand is None:
        from autograder.learn.commands import status

        status()


@cli.command()
@click.argument("folder", type=PLACE, metavar="DIR")
def init(folder: Path) -> None:
    """Lay the course out in the new folder DIR: exercises, lessons, and the solutions to compare with."""
    from autograder.learn.commands import init

    init(folder)


@cli.command(name="list")
@PLAIN
@JSON
def list_(plain: bool, as_json: bool) -> None:
    """Show all exercises as a map: points, minutes, what is solved and what leads where."""
    from autograder.learn.commands import list_exercises

    list_exercises(as_json=as_json, plain=plain)


@cli.command()
@click.argument("target", required=False, metavar="[EXERCISE or FILE]")
@click.option("--self", "points", type=float, help="For a text: the points that you give your own, by the rubric.")
@click.option("--no-background", is_flag=True, help="Leave no worker behind that makes the next check fast; end one.")
@PLAIN
@JSON
def check(target: str | None, points: float | None, no_background: bool, plain: bool, as_json: bool) -> None:
    """Check an exercise on this machine: what is next, an exercise (a1), or a file."""
    from autograder.learn.early import check

    solved = check(target, points=points, as_json=as_json, plain=plain, background=not no_background)
    sys.exit(0 if solved else 1)


@cli.command()
@click.argument("exercise", required=False)
@PLAIN
def watch(exercise: str | None, plain: bool) -> None:
    """Check an exercise whenever you save it, and go on to the next one when it is solved."""
    from autograder.learn.commands import watch

    watch(exercise, plain=plain)


@cli.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Where the page answers; default: a free port.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def learn(port: int, no_browser: bool) -> None:
    """Open the course as a page on this machine: lessons, an editor, checks, pictures, hints and quizzes."""
    from autograder.learn.commands import learn

    learn(port, browser=not no_browser)


@cli.command()
@click.argument("exercise", metavar="EXERCISE or FILE")
@click.option("--svg", type=PLACE, help="Also write the picture to this SVG file.")
@click.option("--png", type=PLACE, help="Also write it to this PNG file, without words.")
@PLAIN
def show(exercise: str, svg: Path | None, png: Path | None, plain: bool) -> None:
    """Draw the mask or the attention patterns that your file returns, right or wrong."""
    from autograder.learn.commands import show

    sys.exit(0 if show(exercise, svg, png, plain=plain) else 1)


@cli.command()
@click.argument("target", required=False, metavar="[QUIZ or FILE]")
@PLAIN
def quiz(target: str | None, plain: bool) -> None:
    """Answer a quiz here, one question at a time, with an explanation after each answer."""
    from autograder.learn.commands import quiz

    sys.exit(0 if quiz(target, plain=plain) else 1)


@cli.command()
@click.argument("exercise", required=False)
def hint(exercise: str | None) -> None:
    """Show the next hint; each one comes after another try."""
    from autograder.learn.commands import hint

    hint(exercise)


@cli.command()
@click.argument("exercise")
@click.option("--yes", is_flag=True, help="Do not ask.")
def reveal(exercise: str, yes: bool) -> None:
    """Show the model answer: once you have solved the exercise, or after three different tries."""
    from autograder.learn.commands import reveal

    sys.exit(0 if reveal(exercise, yes=yes) else 1)


@cli.command()
@click.argument("exercise")
def reset(exercise: str) -> None:
    """Put the stub of an exercise back; your attempt is kept beside it."""
    from autograder.learn.commands import reset

    reset(exercise)


@cli.command()
@click.argument("path", type=PLACE, required=False)
@click.option("--out", type=PLACE, help="Folder for the results; made if missing.")
@click.option("--nbgrader", "folder", type=PLACE, help="Grade this nbgrader course folder instead.")
@click.option("--db", metavar="URL", help="With --nbgrader: its gradebook; default: as nbgrader_config.py says.")
@click.option("--jobs", type=click.IntRange(1, 256), default=None, help="Submissions at a time; default: all cores.")
@click.option(
    "--isolate", type=click.Choice(["submission", "exercise"]), default="submission",
    help="A worker for each learner's upload, with doubtful exercises run again alone (default), or for each exercise.",
)  # fmt: skip
@click.option("--no-isolation-i-trust-these-files", "trusted", is_flag=True, help="Grade even where nothing shuts in.")
@PLAIN
@JSON
def grade(
    path: Path | None, out: Path | None, folder: Path | None, db: str | None, jobs: int | None, isolate: str,
    trusted: bool, plain: bool, as_json: bool,
) -> None:  # fmt: skip
    """Grade a class: a folder with one sub-folder, archive or notebook for each learner, or a single upload.

    What was graded into the same folder before is not run again. With --nbgrader, marks and comments go into the
    gradebook, and --out has a place in the course folder.
    """
    how: dict[str, Any] = {
        "jobs": jobs, "alone": isolate == "exercise", "trusted": trusted, "plain": plain, "as_json": as_json,
    }  # fmt: skip
    if folder:
        if path:
            raise click.UsageError("Give either a class or --nbgrader with a course folder.")
        from autograder.integrations.nbgrader.commands import grade as grade_folder

        grade_folder(folder, out, db, **how)
        return
    if path is None or out is None:
        raise click.UsageError(f"Missing {'argument PATH' if path is None else 'option --out'}.")
    if db:
        raise click.UsageError("--db goes with --nbgrader.")
    from autograder.teach.commands import grade

    grade(path, out, **how)


@cli.command()
@click.argument("out", type=PLACE, metavar="DIR")
@JSON
def regrade(out: Path, as_json: bool) -> None:
    """Judge the graded folder DIR again by the course as it is now, without running anybody's code."""
    from autograder.teach.commands import regrade

    regrade(out, as_json=as_json)


@cli.command()
@click.argument("out", type=PLACE, metavar="DIR")
@click.argument("learner", required=False)
@click.argument("exercise", required=False)
@click.option("--points", type=float, help="What the text earns. Without it the text and its rubric are shown.")
@click.option("--comment", default="", help="A sentence for the learner, kept with the points.")
def mark(out: Path, learner: str | None, exercise: str | None, points: float | None, comment: str) -> None:
    """Mark the texts of the graded folder DIR: list those that wait, read one, or give it points.

    The points stay with the text, in later gradings too; a changed text is to be marked again.
    """
    from autograder.teach.marking import mark

    mark(out, learner, exercise, points, comment)


@cli.command()
@click.argument("out", type=PLACE, metavar="[DIR]", required=False)
@click.option("--format", "name", required=True, help="canvas, moodle, nbgrader-csv, junit, gradescope, gift, qti, ...")
@click.option("--to", type=PLACE, help="File, or folder where each learner gets a file.")
@click.option("--roster", type=PLACE, help="CSV: learner, id, sis_id, login, email, name, ...")
@click.option("--title", help="Name of the assignment or column; default: the title of the course.")
def export(out: Path | None, name: str, to: Path | None, roster: Path | None, title: str | None) -> None:
    """Write the marks of the graded folder DIR for a gradebook or another tool, or the quizzes for a platform."""
    from autograder.integrations.commands import export

    export(out, name, to=to, roster=roster, title=title)


@cli.command()
@click.argument("exercise")
@click.option("--learner", "learners", multiple=True, required=True, help="Whose numbers; may be given several times.")
@click.option("--out", type=PLACE, required=True, help="Folder for a sub-folder of each learner.")
def sheet(exercise: str, learners: tuple[str, ...], out: Path) -> None:
    """Write the sheet of a quiz with a learner's own numbers, for courses with `quiz_numbers: own`."""
    from autograder.teach.sheets import write_sheets

    write_sheets(exercise, learners, out)


@cli.command()
@JSON
def doctor(as_json: bool) -> None:
    """Say what isolation this machine gives, why, and what to do about each gap."""
    from autograder.teach.doctor import doctor

    sys.exit(0 if doctor(as_json=as_json) else 1)


@cli.command()
@click.argument("exercise", required=False)
@click.option("--deep", is_flag=True, help="Also run mutants of every model answer and known cheats; takes minutes.")
@click.option("--fix", is_flag=True, help="Write the files that are generated from solutions/ and course.yaml anew.")
@JSON
def verify(exercise: str | None, deep: bool, fix: bool, as_json: bool) -> None:
    """For authors: prove that the course, or one EXERCISE, is sound, and say what to mend where it is not."""
    from autograder.authoring.commands import verify

    sys.exit(0 if verify(exercise, deep=deep, fix=fix, as_json=as_json) else 1)


@cli.command()
@click.argument("out", type=PLACE, metavar="DIR")
@click.option("--since", type=PLACE, help="The handout before: CHANGES.md says what is different.")
def release(out: Path, since: Path | None) -> None:
    """For authors: build in the new folder DIR what a class gets, without solutions and hidden checks."""
    from autograder.authoring.commands import release

    release(out, since)


@cli.command()
@click.argument("out", type=PLACE, metavar="OUT.zip")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]...")
def gradescope(out: Path, exercises: tuple[str, ...]) -> None:
    """Build an autograder for Gradescope from the course, or from some EXERCISEs of it."""
    from autograder.integrations.gradescope_bundle import build

    build(out, exercises)


@cli.group()
def nbgrader() -> None:
    """Work with nbgrader's course folder: its notebooks, formgrader and gradebook."""


@nbgrader.command("init")
@click.argument("folder", type=PLACE, metavar="DIR")
@click.option("--db", metavar="URL", help="The gradebook, such as postgresql+psycopg://...; default: a file in DIR.")
def nbgrader_init(folder: Path, db: str | None) -> None:
    """Make an nbgrader course folder DIR with the notebooks of this course, or bring its notebooks up to date."""
    from autograder.integrations.nbgrader.commands import init

    init(folder, db)


def main() -> None:
    """Run the command; bad input is a clear line and status 2, never a traceback."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # closed by who started this: the next file to be opened would get its number
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character gets a question mark
    try:
        _require_ground()
        cli(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as problem:
        problem.show()
        sys.exit(2)
    except HeadcountError as problem:
        _fail(str(problem), 2)
    except (click.Abort, KeyboardInterrupt):
        _fail("Stopped.", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone: nothing left to say
        sys.exit(141)
    except OSError as error:
        _fail(f"{error.filename or 'output'}: {error.strerror or error}", 2)
    except Exception as error:
        if os.environ.get("HEADCOUNT_TRACEBACK"):
            raise
        _fail(f"A bug in headcount, not in your work: {type(error).__name__}: {error}", 70)


def _require_ground() -> None:
    """Raise HeadcountError where nothing could work: without the texts of a course, or without a folder to be in."""
    if sys.flags.optimize > 1:
        raise HeadcountError(
            "Python runs with -OO (or PYTHONOPTIMIZE), which drops the texts of a course: leave it out."
        )
    try:
        os.getcwd()
    except OSError:
        raise HeadcountError("The folder you are in has been removed: change to another one.") from None


def _fail(text: str, status: int) -> NoReturn:
    click.echo(text, err=True)
    sys.exit(status)
