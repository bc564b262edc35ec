"""Intake: what learners hand in becomes `Upload`s, as bytes in memory. Nothing is executed and nothing is extracted.

A class is collected by `intake`; a learner's own file is read by `own`, which needs none of that.
"""
