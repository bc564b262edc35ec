"""What there is to read: the page of a stage, and what an exercise asks, both as HTML.

The pages are those of docs/lessons, the texts those of the stubs, sheets and questions. All are Markdown or are made
into it as for the notebooks; whatever looks like HTML in them is shown as text.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import Markup

from autograder.blank import blank
from autograder.course.model import Course, Exercise, Stage
from autograder.learn.page.coded import coded
from autograder.learn.page.columns import columns
from autograder.notebooks.build import name_of
from autograder.notebooks.markdown import lesson, paragraphs, without_title

#: Where a course has its pages, and where a handout has them.
FOLDERS = (Path("docs", "lessons"), Path("lessons"))
_DOCSTRING = re.compile(r'\s*[rR]?"""(.*?)"""', re.DOTALL)
_PAGE = re.compile(r"(?:(?P<page>[\w-]+)\.md)?(?P<place>#[\w-]*)?")
_PICTURE = re.compile(r"pictures/([\w-]+\.svg)")


def page_of(course: Course, stage: Stage) -> Path | None:
    """The file with the lesson of a stage, if there is one."""
    name = f"{name_of(stage)}.md"
    return next((path for folder in FOLDERS if (path := course.root / folder / name).is_file()), None)


def lesson_html(course: Course, stage: Stage) -> str:
    """The lesson of a stage; empty where there is none."""
    path = page_of(course, stage)
    if path is None:
        return ""
    names = "|".join(exercise.short for exercise in course.exercises)
    introduced = re.compile(rf"\*\*Exercise ({names})\b")  # where the lesson leads to one, so does a link
    return markdown_html(course, introduced.sub(r"**[Exercise \1](/exercise/\1)", path.read_text("utf-8", "replace")))


def picture(course: Course, name: str) -> bytes | None:
    """A picture of the lessons, by a name that one of their pages has."""
    for stage in course.stages:
        page = page_of(course, stage)
        if page and name in _PICTURE.findall(page.read_text("utf-8", "replace")):
            path = page.parent / "pictures" / name
            return path.read_bytes() if path.is_file() else None
    return None


def task_html(course: Course, exercise: Exercise, source: str) -> str:
    """What an exercise of code asks. In a handout only the learner's own file, `source`, says it.

    Empty for a sheet, which asks for itself.
    """
    if exercise.kind != "code":
        return ""
    if course.folder(exercise).joinpath("solution.py").is_file():
        source = blank(course, exercise)
    return markdown_html(course, lesson(_told(source, exercise.title)))


def plain_html(course: Course, text: str) -> str:
    """A text of the course with paragraphs, examples and code, such as the top of a quiz."""
    return markdown_html(course, "\n\n".join(paragraphs(text)))


def _told(source: str, title: str) -> str:
    """The docstring without its heading; what can be found of it where Python cannot read the file."""
    try:
        doc = ast.get_docstring(ast.parse(source)) or ""
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = _DOCSTRING.match(source)
        doc = found[1] if found else ""
    return without_title(doc, title)


def markdown_html(course: Course, text: str) -> str:
    """A text of the course that is Markdown, with links and pictures that lead where the page has them."""
    markdown, environment = _markdown(), {"stages": {name_of(stage): stage.letter for stage in course.stages}}
    tokens = markdown.parse(text, environment)
    for token in tokens:
        if token.type.startswith("heading"):  # below the headings of the page around it
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
        if token.type == "fence" and token.info == "text" and (rows := columns(token.content)):
            token.type, token.content = "html_block", _table(rows)
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs["href"] = _link(str(child.attrs["href"]), environment["stages"])
            elif child.type == "image":
                child.attrs["src"] = f"/{child.attrs['src']}" if _PICTURE.fullmatch(str(child.attrs["src"])) else ""
                child.attrs["loading"] = "lazy"
    return str(markdown.renderer.render(tokens, markdown.options, environment))


def _table(rows: list[list[str]]) -> str:
    template = Markup("<td>{}</td>")
    lines = (Markup("").join(template.format(coded(cell)) for cell in row) for row in rows)
    return f'<table class="columns">{Markup("").join(Markup("<tr>{}</tr>").format(line) for line in lines)}</table>'


def _link(target: str, stages: dict[str, str]) -> str:
    """Where a link of a lesson leads: to another lesson, or out; a file that is not shown here leads to the map."""
    found = _PAGE.fullmatch(target)
    if found:
        letter = stages.get(found["page"] or "", "")
        return (f"/lesson/{letter.lower()}" if letter else "" if not found["page"] else "/") + (found["place"] or "")
    return target if target.startswith(("https://", "http://", "/exercise/")) else "/"


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")
