"""The instructor's side: a class in, marks out."""
