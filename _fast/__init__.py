"""The hot core: board, move generation, evaluation and search, compiled with Cython."""
