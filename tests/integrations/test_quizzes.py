"""The quizzes of a course as other platforms read them: marked there as here, whatever is written in them."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from text2qti.config import Config
from text2qti.quiz import Quiz

from autograder.course.load import load_course
from autograder.integrations import gift, moodle_xml, qti
from autograder.integrations.quizzes import Answer, Item, Sheet, as_html, inline, sheets
from autograder.quiz import Choice, OneOf, Ordering, SomeOf, Wrong
from autograder.quiz.draw import DEFAULT, load_quiz
from autograder.quiz.typed import LETTERS
from tests.conftest import ROOT, Run

COURSE = load_course(ROOT)
SHEETS = sheets(COURSE)
ITEMS = {item.name: item for sheet in SHEETS for item in sheet.items}
NASTY = "a {b} ~c =d #e :f \\g %50%h <b>i</b> &amp; *j* _k_ $l$ `m` [n](o) <!-- p --> 'q' \"r\" é 多 -> ////s"
#: A quiz nobody would write, with a text that every format has another meaning for.
STRANGE = Sheet(
    "s1_strange", NASTY, as_html(f"{NASTY}\n\n  {NASTY}\n    more"),
    (
        Item("s1::one", 0.25, as_html(NASTY), "one", (Answer(inline(NASTY), 1, inline(NASTY)), Answer("x", 0, "y"))),
        Item("s1::words", 1, as_html(f"More {NASTY}"), "words", (Answer("(a, b)", 1, inline(NASTY)),), inline(NASTY)),
    ),
)  # fmt: skip


@pytest.mark.parametrize("name", ITEMS)
def test_marked_as_here(name: str) -> None:
    """Whatever a platform knows as an answer is worth there what our own marking gives, and hears the same."""
    exercise, _, check = name.partition("::")
    question = load_quiz(COURSE, COURSE.exercise(exercise)).draw(DEFAULT)[check]
    item = ITEMS[name]
    if item.kind in ("number", "words"):
        for answer in item.answers:
            marked = question.mark(answer.text)
            assert marked.share == answer.share
            assert html.unescape(answer.says) in marked.says
        return
    letters = LETTERS[: len(item.answers)]
    for size in range(1, 2 if item.kind == "one" else len(letters) + 1):
        for taken in combinations(letters, size):
            theirs = sum(item.answers[LETTERS.index(letter)].share for letter in taken)
            assert question.mark(", ".join(taken)).share == pytest.approx(max(0.0, theirs))


def gift_questions(text: str) -> dict[str, tuple[str, list[tuple[str, str, str]]]]:
    """A reader of GIFT by its published rules: title, text, and (sign with weight, answer, feedback) of each answer."""
    found = {}
    for block in re.split(r"\n\s*\n", text):
        block = "\n".join(line for line in block.splitlines() if not line.startswith(("//", "$")))
        parts = re.split(r"(?<!\\)((?:\\\\)*)::", block)
        if len(parts) < 5:
            continue
        title, body = "".join(parts[1:3]), "".join(parts[4:])
        stem, _, answers = re.sub(r"\\([\\])", "\0", body).partition("{") if "\\{" not in body else _split(body)
        told = re.findall(r"(?<!\\)([=~](?:%-?[\d.]+%)?)((?:\\.|[^\\=~#}])*)#((?:\\.|[^\\=~}])*)", answers)
        found[_plain(title)] = (_plain(stem), [(sign, _plain(answer), _plain(says)) for sign, answer, says in told])
    return found


def _split(body: str) -> tuple[str, str, str]:
    place = re.search(r"(?<!\\)\{", body)
    return (body, "", "") if place is None else (body[: place.start()], "{", body[place.end() :])


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text.replace("\0", "\\")).strip()


@pytest.mark.parametrize("sheet", [*SHEETS, STRANGE], ids=lambda sheet: sheet.id)
def test_gift(sheet: Sheet) -> None:
    """Every part of every question comes back from the file as it went in."""
    found = gift_questions(gift.write([sheet], NASTY))
    assert found.pop(sheet.id) == (f"[html]{sheet.lesson}", [])
    assert list(found) == [item.name for item in sheet.items]
    for item in sheet.items:
        stem, answers = found[item.name]
        assert stem == f"[html]{item.ask}"
        rest = answers[len(item.answers) :]
        assert [says for *_, says in rest] == [item.otherwise] * bool(item.otherwise)
        for answer, (sign, text, says) in zip(item.answers, answers, strict=False):
            assert text == (f"{answer.text}:{item.within}" if item.kind == "number" else answer.text)
            assert says == answer.says
            weight = re.search("%(.*)%", sign)
            worth = float(weight[1]) / 100 if weight else float(sign[0] == "=")
            assert worth == pytest.approx(answer.share, abs=1e-6)


PARSE = """
const questions = require("gift-pegjs").parse(require("fs").readFileSync(0, "utf8"));
console.log(questions.filter(each => each.choices).map(each => each.title).join("\\n"));
"""


def test_gift_as_others_read_it() -> None:
    """gift-pegjs, where node has it, takes the whole file and finds every question."""
    node = shutil.which("node")
    known = node and subprocess.run([node, "-e", "require('gift-pegjs')"], capture_output=True, check=False)
    if not node or not known or known.returncode:
        pytest.skip("node has no gift-pegjs")
    run = subprocess.run([node, "-e", PARSE], input=gift.write([*SHEETS, STRANGE], "x"), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("\n")[:-1] == [*ITEMS, "s1::one", "s1::words"]


@pytest.mark.parametrize("sheet", [*SHEETS, STRANGE], ids=lambda sheet: sheet.id)
def test_moodle_xml(sheet: Sheet) -> None:
    """An XML parser finds every question with its points and answers, and fractions that Moodle takes."""
    root = ET.fromstring(moodle_xml.write([sheet], "x/y"))
    category, lesson, *questions = root
    assert (category.get("type"), lesson.get("type"), lesson.findtext("questiontext/text")) == (
        "category", "description", sheet.lesson,
    )  # fmt: skip
    for question, item in zip(questions, sheet.items, strict=True):
        assert question.get("type") == moodle_xml.TYPES[item.kind]
        assert question.findtext("name/text") == item.name
        assert question.findtext("questiontext/text") == item.ask
        assert float(str(question.findtext("defaultgrade"))) == item.points
        answers = [(each.findtext("text"), each.findtext("feedback/text")) for each in question.findall("answer")]
        told = [(each.text, each.says) for each in item.answers]
        assert answers == told + [("*", item.otherwise)] * bool(item.otherwise)
        for each in question.findall("answer"):
            part = Fraction(str(each.get("fraction"))) / 100
            assert any(abs(abs(part) - Fraction(1, n)) < Fraction(1, 10**6) for n in range(1, 11)) or part == 0


@pytest.mark.parametrize("sheet", [*SHEETS, STRANGE], ids=lambda sheet: sheet.id)
def test_qti(sheet: Sheet, tmp_path: Path) -> None:
    """text2qti reads what it is given as that many questions, and the zip is XML that says what is right."""
    quiz = Quiz(qti.source(sheet), config=Config(), source_name="x")
    assert len([each for each in quiz.questions_and_delims if hasattr(each, "points_possible")]) == len(sheet.items)
    (tmp_path / "quiz.zip").write_bytes(qti.write(sheet))
    with zipfile.ZipFile(tmp_path / "quiz.zip") as packed:
        (name,) = (name for name in packed.namelist() if Path(name).stem == Path(name).parent.name)
        assessment = ET.fromstring(packed.read(name))
    space = {"q": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}
    items = assessment.iterfind(".//q:item", space)
    found = [item for item in items if item.find(".//q:resprocessing", space) is not None]
    assert [html.unescape(str(item.get("title"))) for item in found][-len(sheet.items) :] == [
        html.unescape(item.name) for item in sheet.items
    ]
    for entry, item in zip(found[-len(sheet.items) :], sheet.items, strict=True):
        texts = [text.text or "" for text in entry.iterfind(".//q:mattext", space)]
        assert _seen(item.ask) in [_seen(text) for text in texts]
        if item.kind in ("one", "some"):
            assert {_seen(each.text) for each in item.answers} <= {_seen(text) for text in texts}
        if item.kind == "words":
            rights = {each.text for each in entry.iterfind(".//q:varequal", space)}
            assert rights == {answer.text for answer in item.answers if answer.share == 1}


def _seen(text: str) -> str:
    """What a browser shows of HTML."""
    return " ".join(html.unescape(re.sub(r"</?\w+( /)?>", " ", text)).split())


def test_kinds_that_no_quiz_here_has() -> None:
    """Things to put in order are listed with their letters; what several right choices are worth adds up to all."""
    from autograder.integrations.quizzes import item_of

    order = Ordering(
        ask="Order.", answer=("one", "two", "three"), says="Yes.", otherwise="No.", shown=("two", "three", "one"),
        wrong=(Wrong(("three", "two", "one"), "Backwards."),),
    )  # fmt: skip
    item = item_of("x", 1, order)
    assert "<pre> a) two<br /> b) three<br /> c) one</pre>" in item.ask
    assert {answer.text for answer in item.answers if answer.share} == {
        "c, a, b", "(c, a, b)", "(c,a,b)", "[c, a, b]", "[c,a,b]", "c,a,b",
    }  # fmt: skip
    some = item_of("x", 1, SomeOf("?", tuple(Choice(str(n), "s", right=n < 3) for n in range(7))))
    assert sum(answer.share for answer in some.answers if answer.share > 0) == pytest.approx(1)
    assert sum(answer.share for answer in some.answers) == pytest.approx(0)
    assert item_of("x", 1, OneOf("?", (Choice("a", "s", right=True), Choice("b", "s")))).kind == "one"


FORMATS: list[tuple[str, Callable[[Path], bool]]] = [
    ("gift", lambda path: path.read_text().startswith("$CATEGORY: ")),
    ("moodle-xml", lambda path: ET.parse(path).getroot().tag == "quiz"),
    ("qti", lambda path: [zipfile.is_zipfile(each) for each in path.iterdir()] == [True]),
]


@pytest.mark.parametrize(("name", "is_sound"), FORMATS, ids=lambda value: value if isinstance(value, str) else "")
def test_the_command(headcount: Run, tmp_path: Path, name: str, is_sound: Callable[[Path], bool]) -> None:
    """The quizzes of the course in the current folder, in one line."""
    garden = ROOT / "tests" / "courses" / "garden"
    run = headcount("export", "--format", name, "--to", tmp_path / "out", cwd=garden)
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
    assert run.stderr.startswith("1 quiz: ")
    assert is_sound(tmp_path / "out")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--format", "gift"], "this course has no quizzes"),
        (["marks", "--format", "gift"], "leave out marks"),
        (["--format", "canvas"], "name the folder that `headcount grade` wrote"),
        (["--format", "qti"], "name a folder for them with --to"),
        (["--format", "gift", "--roster", "x.csv"], "leave out --roster"),
    ],
)
def test_what_is_refused(kitchen: Path, headcount: Run, arguments: list[str], says: str) -> None:
    """One clear line."""
    run = headcount("export", *arguments, cwd=kitchen)
    assert (run.returncode, run.stdout) == (2, "")
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
