"""Quizzes: questions whose numbers may vary by learner, the sheets they are answered on, and their marks.

Pure functions: nothing here runs a learner's code, and whatever a sheet holds is read as text. Authors import the kinds
of question from here.
"""

from autograder.quiz.chosen import Choice, OneOf, SomeOf
from autograder.quiz.written import Number, Numbers, Ordering, Shape, Wrong

__all__ = ["Choice", "Number", "Numbers", "OneOf", "Ordering", "Shape", "SomeOf", "Wrong"]
