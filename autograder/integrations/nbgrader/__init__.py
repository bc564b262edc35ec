"""nbgrader's course folder: its notebooks, gradebook and formgrader, with the grading done here.

Notebooks are read as data and never executed. What nbgrader shows, feeds back and exports is written where it looks for
it: marks and comments in its gradebook, notebooks in ``autograded/``. nbgrader itself is imported only when it is used.
"""
