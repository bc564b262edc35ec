"""Draw results: for the terminal, for files. No decisions are made here."""
