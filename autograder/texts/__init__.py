"""Texts: questions that are answered in words, read by a person, and never searched for what they should contain."""
