"""Marks in the forms that other tools read. Grading itself stays ours."""
