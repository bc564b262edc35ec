"""The tests mirror autograder/, room by room."""
