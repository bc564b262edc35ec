"""Hooks for pytest, and nothing else: in a project that has nothing to do with Headcount they cost nothing.

In a course or a handout, the files of `exercises/` are collected as one test for each check. With ``--submissions`` a
class is graded instead of collecting tests.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from autograder.integrations.pytest_class import Grader
    from autograder.integrations.pytest_exercises import Session

COURSE, STUBS = "course.yaml", "exercises"
#: What every course.yaml of ours has at the start of a line, and hardly any other file of that name.
TELLING = (b"title:", b"stages:", b"exercises:")
LONGEST = 1_000_000

LEARNERS: pytest.StashKey[Session] = pytest.StashKey()
GRADER: pytest.StashKey[Grader] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option, for instructors."""
    parser.getgroup("headcount").addoption(
        "--submissions", metavar="CLASS", help="Grade this class with the course of the current folder, as "
        "`headcount grade` does: one test for each learner, exercise and check. No test files are collected.",
    )  # fmt: skip


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, None, None]:
    """Beside a class no conftest.py is loaded: it may be a learner's."""
    if early_config.known_args_namespace.submissions is not None:
        early_config.known_args_namespace.noconftest = True
    return (yield)


def pytest_configure(config: pytest.Config) -> None:
    """Find the course and the class. Raises UsageError where one of them is not there."""
    if config.option.submissions is None:
        return
    from autograder.errors import HeadcountError
    from autograder.integrations.pytest_class import Grader

    if config.args_source is pytest.Config.ArgsSource.ARGS and not hasattr(config, "workerinput"):
        raise pytest.UsageError("--submissions grades a class and collects no files; choose from it with -k")
    place = config.invocation_params.dir
    try:
        config.stash[GRADER] = Grader(place, Path(os.path.abspath(place / config.option.submissions)))
    except HeadcountError as problem:
        raise pytest.UsageError(str(problem)) from None
    config.option.submissions = str(config.stash[GRADER].path)  # workers of xdist may run elsewhere
    config.args = []
    config.add_cleanup(config.stash[GRADER].close)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """The tests of a class, before anybody chooses from them."""
    if grader := session.config.stash.get(GRADER, None):
        from autograder.integrations.pytest_class import Class

        items[:] = session.genitems(Class.from_parent(session, name="", nodeid="", grader=grader))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The points of each learner."""
    if GRADER in config.stash:
        from autograder.integrations.pytest_class import summary

        if lines := list(summary(terminalreporter.stats.values())):
            terminalreporter.section("points")
            terminalreporter.line("\n".join(lines))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """An exercise of the course at the root is ours alone: anybody else would import it into this process."""
    found = yield
    root = parent.config.rootpath
    if file_path.suffix != ".py" or file_path.parent != root / STUBS or not _is_course(root / COURSE):
        return found
    from autograder.integrations.pytest_exercises import exercise_file

    ours = exercise_file(file_path, parent, LEARNERS)
    return [ours] if ours else found


def _is_course(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            lines = file.read(LONGEST).splitlines()
    except OSError:
        return False
    return all(any(line.startswith(word) for line in lines) for word in TELLING)
