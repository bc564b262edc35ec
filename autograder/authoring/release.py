"""Build what a class gets: stubs, lessons, the list of exercises, and keys that hold answers and no answer's code.

Nothing is copied from exercises/, where an author may have tried things out; every stub is cut anew. What was built is
searched for lines of the model answers before it is given its name.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from socket import socket
from typing import Any

import autograder
from autograder import handout, keys, notebooks
from autograder.authoring.measures import bare_source, cut_measures
from autograder.authoring.since import NAME as CHANGES
from autograder.authoring.since import changes, earlier_handout
from autograder.authoring.wheel import PROJECT, write_wheel
from autograder.blank import blank
from autograder.course import content
from autograder.course.errors import ContentError, CourseError, display
from autograder.course.load import COURSE_FILE, load_course
from autograder.course.model import Course, Exercise
from autograder.course.tree import read_tree

#: A line of a model answer shorter than this says nothing: `with torch.no_grad():` may stand anywhere.
TELLING = 25
PINS = "constraints.txt"
#: Where a course may keep pages for its learners, and what of them is for its authors.
LESSONS, NOT_FOR_LEARNERS = Path("docs", "lessons"), "README.md"
#: A link to a file beside a page, as in `](pictures/a_mask.svg)`.
LINK = re.compile(r"\]\(([^)#:\s]+)\)")
PYTEST = "[pytest]\ntestpaths = exercises\n"
README = """# {title}

    python3 -m venv .venv && . .venv/bin/activate
    pip install -r requirements.txt
    headcount

The last command says where you are and which file to open. Write the missing lines there, and type `headcount check`.
`headcount list` shows all exercises. Everything but the installation works offline.

`keys/` holds what the checks compare with. It contains no answers to read, only what right and wrong ones return.
`CHANGES.md` says what is new since the last handout. If you have pytest, `pytest exercises` runs the same checks.
{lessons}"""
READ_LESSONS = "`lessons/` holds pages to read beside the exercises; a few of their examples need more than is here.\n"


def release(course: Course, out: Path, lane: socket, since: Path | None = None) -> list[str]:
    """Write the handout to the new folder `out`; a sentence for everything of the course that stays behind.

    `since` is the handout that the class had before: what changed is told in CHANGES.md. Raises CourseError where the
    folder is taken, and ContentError where an exercise cannot be handed out.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CourseError((f"{out}: is there already; name a new folder, so that no old file stays in a handout.",))
    before = earlier_handout(since) if since else None
    out.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        notes = list(_build(course, draft, lane))
        _write(draft / CHANGES, changes(before, load_course(draft), date.today()))
        if found := list(leaks(course, draft)):
            raise ContentError(tuple(found))
        draft.chmod(0o755)
        os.replace(draft, out)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return notes


def leaks(course: Course, folder: Path) -> Iterator[str]:
    """Lines of the model answers that stand anywhere in a handout, unless a stub or hint shows them itself."""
    texts = [blank(course, exercise) for exercise in _coded(course)]
    shown = "\n".join([*texts, *(hint for exercise in course.exercises for hint in exercise.hints)])
    secret = {
        line: exercise.id
        for exercise in _coded(course)
        for line in _code(content.solution_source(course, exercise))
        if len(line) >= TELLING and line not in shown
    }
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = _readable(path)
            for line, id in secret.items():
                if line.encode() in data:
                    yield f"{path.relative_to(folder)}: would hold `{line}`, a line of the model answer of {id}"


def _code(source: str) -> list[str]:
    """The lines of a source without indentation and comments."""
    return [line.partition("  #")[0].strip() for line in source.splitlines() if not line.lstrip().startswith("#")]


def _build(course: Course, folder: Path, lane: socket) -> Iterator[str]:
    _write(folder / COURSE_FILE, course_text(course))
    lessons = READ_LESSONS if _copy_lessons(course, folder / LESSONS.name) else ""
    _write(folder / "README.md", README.format(title=course.title, lessons=lessons))
    _write(folder / "pytest.ini", PYTEST)
    write_wheel(folder)
    _write(folder / "requirements.txt", requirements(course, folder))
    released = load_course(folder)
    if notebooks.folder(course).is_dir():
        for book in notebooks.build(course):
            _write(notebooks.folder(released) / f"{book.name}.ipynb", book.text)
    for exercise in course.exercises:
        _write(released.stub_path(exercise), blank(course, exercise))
        if exercise.kind != "code":
            yield f"{exercise.id}: is a {exercise.kind}, whose answers stay behind; it is marked when it is handed in."
            continue
        key = keys.compile_key(course, exercise, None, lane)
        assert key
        key = keys.compile_pairs(course, exercise, key, lane) or key
        kept = tuple(probe for probe in key.probes if not probe.callbacks)
        if behind := len(key.probes) - len(kept):
            count = f"{behind} of {len(key.probes)}"
            yield f"{exercise.id}: shown probes that call back into the grader stay behind ({count})."
            key = replace(key, probes=kept, load_pairs=lambda: None)  # pairs may have been told apart by those
        path = course.folder(exercise) / "probes.py"
        measures = cut_measures(content.read_source(path), kept, display(path))
        sources = content.pattern_sources(course, exercise) if kept else {}
        patterns = {id: bare_source(text, f"patterns of {id}") for id, text in sources.items()}
        place = released.folder(exercise)
        _write(place / handout.NAME, handout.pack_key(key, measures, patterns))
        if driver := content.driver_source(course, exercise):
            _write(place / "driver.py", driver)
        if kept:
            handout.read_key(released, exercise)


def _copy_lessons(course: Course, place: Path) -> bool:
    """Copy the pages for learners and the pictures they show; whether there are any."""
    pages = [page for page in sorted((course.root / LESSONS).glob("*.md")) if page.name != NOT_FOR_LEARNERS]
    for page in pages:
        text = page.read_text("utf-8")
        _write(place / page.name, text)
        for link in LINK.findall(text):
            linked = (page.parent / link).resolve()
            if linked.is_file() and linked.is_relative_to(page.parent.resolve()):
                _write(place / link, linked.read_bytes())
    return bool(pages)


def course_text(course: Course) -> str:
    """course.yaml for a class: without the list of everything that can go wrong, and without anybody's name.

    A message needs its misconception's sentence only, and the key has it. Extensions name learners.
    """
    from ruamel.yaml import YAML

    path = course.root / COURSE_FILE
    data: dict[str, Any] = read_tree(path.read_text("utf-8-sig"), display(path)).data
    data = {"title": data["title"], "released": True} | data | {"families": {}}
    if late := data.get("late"):
        data["late"] = {key: value for key, value in late.items() if key != "extensions"}
    data["exercises"] = [{key: value for key, value in each.items() if key != "seeds"} for each in data["exercises"]]
    yaml = YAML()
    yaml.width = 120
    text = io.StringIO()
    yaml.dump(data, text)
    return text.getvalue()


def _coded(course: Course) -> list[Exercise]:
    return [exercise for exercise in course.exercises if exercise.kind == "code"]


def requirements(course: Course, folder: Path) -> str:
    """The engine and the libraries that the keys were made with; all other pins where the course has them."""
    lines = []
    if (course.root / PINS).is_file():
        shutil.copyfile(course.root / PINS, folder / PINS)
        lines.append(f"-c {PINS}")
    lines += ["--find-links .", f"{PROJECT}=={autograder.__version__}"]
    libraries = {"numpy", *(exercise.library for exercise in _coded(course))}
    lines += [f"{name}=={keys.library_version(name).partition('+')[0]}" for name in sorted(libraries)]
    return "\n".join(lines) + "\n"


def _readable(path: Path) -> bytes:
    """What is in a file, for whoever cares to unpack it."""
    data = path.read_bytes()
    return handout.unpack(data) if path.name == handout.NAME else data


def _write(path: Path, data: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
