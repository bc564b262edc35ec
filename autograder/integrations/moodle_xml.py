"""Moodle XML: questions with points, partial credit, and what is said to each answer."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from autograder.integrations.quizzes import Item, Sheet, decimal
from autograder.integrations.text import plain

TYPES = {"one": "multichoice", "some": "multichoice", "number": "numerical", "words": "shortanswer"}


def write(sheets: Sequence[Sheet], title: str) -> str:
    """A category for each quiz, its lesson as a description, then its questions."""
    root = ET.Element("quiz")
    for sheet in sheets:
        category = ET.SubElement(root, "question", type="category")
        _texted(
            category, "category", f"$course$/top/{plain(title).replace('/', '//')}/{sheet.title.replace('/', '//')}"
        )
        _question(root, "description", sheet.id, sheet.lesson, 0)
        for item in sheet.items:
            _item(root, item)
    ET.indent(root)
    return ET.tostring(root, "unicode", xml_declaration=True) + "\n"


def _item(root: ET.Element, item: Item) -> None:
    question = _question(root, TYPES[item.kind], item.name, item.ask, item.points)
    if TYPES[item.kind] == "multichoice":
        ET.SubElement(question, "single").text = str(item.kind == "one").lower()
        ET.SubElement(question, "shuffleanswers").text = "true"
        ET.SubElement(question, "answernumbering").text = "abc"
    elif item.kind == "words":
        ET.SubElement(question, "usecase").text = "0"
    for answer in item.answers:
        found = _answer(question, item, answer.text, answer.share, answer.says)
        if item.kind == "number":
            ET.SubElement(found, "tolerance").text = item.within
    if item.otherwise:
        _answer(question, item, "*", 0, item.otherwise)


def _question(root: ET.Element, kind: str, name: str, ask: str, points: float) -> ET.Element:
    question = ET.SubElement(root, "question", type=kind)
    _texted(question, "name", name)
    _texted(question, "questiontext", ask, format="html")
    ET.SubElement(question, "defaultgrade").text = decimal(points)
    return question


def _answer(question: ET.Element, item: Item, text: str, share: float, says: str) -> ET.Element:
    kind = "html" if TYPES[item.kind] == "multichoice" else "moodle_auto_format"
    answer = ET.SubElement(question, "answer", fraction=f"{round(100 * share, 5):g}", format=kind)
    ET.SubElement(answer, "text").text = text
    _texted(answer, "feedback", says, format="html")
    return answer


def _texted(parent: ET.Element, tag: str, text: str, **attributes: str) -> None:
    ET.SubElement(ET.SubElement(parent, tag, attributes), "text").text = text
