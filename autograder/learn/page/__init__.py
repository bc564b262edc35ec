"""`headcount learn`: the course as a local page, for those who would rather look than read a terminal."""
