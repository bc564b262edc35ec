"""`headcount gradescope`: the course as a Gradescope autograder, one zip to upload.

The zip is for Gradescope alone: it holds solutions, and the secret that hidden probes are drawn from, so that marks are
those of `headcount grade`.
"""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from autograder import grading, keys
from autograder.authoring.release import requirements
from autograder.authoring.wheel import TIME, write_wheel
from autograder.course.errors import CourseError, display
from autograder.course.load import COURSE_FILE, find_course, load_course
from autograder.course.model import Course
from autograder.files import write_whole
from autograder.running import workers

#: What grading does not need.
JUNK = shutil.ignore_patterns("__pycache__", "styles", ".*", "*.pyc")
#: What Gradescope runs. Where they look for everything else can be said by AUTOGRADER_ROOT, to try them out.
SCRIPTS = sorted((Path(__file__).parent / "gradescope_scripts").iterdir())
#: Wheels without CUDA, which would be several gigabytes that nothing here uses.
CPU_ONLY = "--extra-index-url https://download.pytorch.org/whl/cpu\n"


def build(out: Path, words: Sequence[str]) -> None:
    """Write the zip for these exercises, or for all. Raises CourseError on bad input and where a key cannot be made."""
    course = load_course(find_course(Path.cwd()))
    course.require_solutions()
    if out.suffix != ".zip":
        raise CourseError((f"{out}: is no name of a zip; end it with .zip.",))
    exercises = [course.find(word) for word in words] or course.exercises
    chosen = list(dict.fromkeys(exercise.id for exercise in exercises))
    with TemporaryDirectory() as draft:
        _fill(course, Path(draft), chosen)
        _try(Path(draft) / "course", chosen)
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            write_whole(out, [_packed(Path(draft))])
        except OSError as error:
            raise CourseError((f"{out}: cannot be written ({error.strerror or error}).",)) from None
    click.echo(f"{len(chosen)} exercise{'s' * (len(chosen) != 1)}: {display(out)}")


def _fill(course: Course, folder: Path, chosen: Sequence[str]) -> None:
    """Write everything that the zip holds."""
    shutil.copytree(course.root / "solutions", folder / "course" / "solutions", ignore=JUNK)
    shutil.copy(course.root / COURSE_FILE, folder / "course" / COURSE_FILE)
    for place in _read_by_probes(course):
        shutil.copytree(place, folder / "course" / place.name, ignore=JUNK)
    secret = folder / "course" / ".headcount" / "secret"
    secret.parent.mkdir()
    secret.write_bytes(keys.course_secret(course))
    write_wheel(folder)
    needed = requirements(course, folder)
    _write(folder / "requirements.txt", (CPU_ONLY if "\ntorch==" in needed else "") + needed)
    _write(folder / "exercises.txt", "\n".join(chosen) + "\n")
    for script in SCRIPTS:
        _write(folder / script.name, script.read_text("utf-8"))


def _write(path: Path, text: str) -> None:
    """With line ends that a shell takes, wherever this runs."""
    path.write_bytes(text.encode())


def _read_by_probes(course: Course) -> Iterator[Path]:
    """The folders beside solutions/ that a file in it names: what probes read from."""
    sources = "\n".join(path.read_text("utf-8", "replace") for path in (course.root / "solutions").rglob("*.py"))
    for place in sorted(course.root.iterdir()):
        if place.is_dir() and not place.name.startswith(".") and f'"{place.name}"' in sources:
            yield place


def _try(place: Path, chosen: Sequence[str]) -> None:
    """Raise CourseError where the copy of the course lacks something that grading needs."""
    course = load_course(place)
    exercises = [each for each in course.exercises if each.id in chosen]
    with workers(exercises, lanes=1) as zygote:
        grading.plan(course, zygote.lanes, only=chosen)


def _packed(folder: Path) -> bytes:
    executable = {script.name for script in SCRIPTS}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = file.relative_to(folder).as_posix()
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name in executable else 0o644) << 16
            bundle.writestr(entry, file.read_bytes())
    return packed.getvalue()
