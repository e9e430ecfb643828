#!/bin/sh
# bulletchess 0.4.0: a move beside a pinned twin, which cannot go there, is written with its file (Nge2), against the PGN standard
# (8.2.3.4: a piece that cannot move legally does not make a move ambiguous). It reads both spellings.
# Guess before the run: Ne2; the library finds legal moves only.
# Seen: Nge2, with one legal knight move to e2.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
for python in python3.14 python3.13 "${PYTHON:-python3}"; do "$python" -c "" 2>/dev/null && break; done  # it wants 3.13
"$python" -m venv env && env/bin/pip install -q --disable-pip-version-check bulletchess==0.4.0 2>/dev/null
cat >ask.py <<'PY'
from bulletchess import Board, Move

board = Board.from_fen("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1")
print([move.san(board) for move in board.legal_moves() if move.uci() in ("c3e2", "g1e2")], Move.from_san("Ne2", board).uci())
PY
env/bin/python ask.py
test "$(env/bin/python ask.py)" = "['Nge2'] g1e2"
