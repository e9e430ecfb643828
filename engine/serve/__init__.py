"""`sssnake serve`: a local page to play against the engine, to analyse, and to watch SSS* think."""
