"""The author's side: everything a learner sees is cut from the one source, and `verify` proves that it is sound."""
