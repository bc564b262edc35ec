"""Notebooks of the course, one for each stage, generated from what the stubs, sheets and questions are generated from."""

from autograder.notebooks.build import Notebook, build, check_id, folder, name_of

__all__ = ["Notebook", "build", "check_id", "folder", "name_of"]
