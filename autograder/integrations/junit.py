"""JUnit XML: a suite for each learner, a test for each check, for whatever draws test reports."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence

from autograder.integrations.marks import ABSENT, REFUSED, UNMARKED, Marks, Part
from autograder.integrations.roster import Roster
from autograder.integrations.text import message, number, plain


def write(learners: Sequence[Marks], roster: Roster, title: str) -> str:
    """One file for the class. Tests are called ``learner::exercise::check`` and carry their points as properties."""
    root = ET.Element("testsuites", name=plain(title))
    total = Counter[str]()
    for each in learners:
        total += _suite(root, each)
    _count(root, total)
    ET.indent(root)
    return ET.tostring(root, "unicode", xml_declaration=True) + "\n"


def _suite(root: ET.Element, each: Marks) -> Counter[str]:
    suite = ET.SubElement(root, "testsuite", name=plain(each.learner))
    count = Counter[str]()
    for part in each.parts:
        case = ET.SubElement(suite, "testcase", classname=part.name.partition("::")[0])
        case.set("name", f"{plain(each.learner)}::{part.name}")
        properties = ET.SubElement(case, "properties")
        told = {"points": number(part.points), "max_points": number(part.max_points), "shown": str(part.shown).lower()}
        told |= {"attempts": str(part.attempts), "late_days": str(part.late_days)}
        for name, value in told.items():
            ET.SubElement(properties, "property", name=name, value=value)
        if kind := outcome(part):
            ET.SubElement(case, kind, message=message(part.message), type=part.verdict)
        count.update(["tests", kind])
    _count(suite, count)
    return count


def outcome(part: Part) -> str:
    """The element that says how a test ended; none for a test that passed."""
    if part.passed:
        return ""
    return {ABSENT: "skipped", UNMARKED: "skipped", REFUSED: "error"}.get(part.verdict, "failure")


def _count(suite: ET.Element, count: Counter[str]) -> None:
    for name, kind in (("tests", "tests"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(count[kind]))
