"""Notebooks of the course, one for each stage, from the same source as the stubs, the sheets and the questions."""

from autograder.notebooks.build import Notebook, answer_cell, as_file, build, check_id, folder, grade_id

__all__ = ["Notebook", "answer_cell", "as_file", "build", "check_id", "folder", "grade_id"]
