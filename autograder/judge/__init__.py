"""Pure functions from a key and observations to verdicts: compare, diagnose, score. Nothing here runs anything."""
