"""The learner's side: where they are, what is next, and checking an exercise on their own machine."""
