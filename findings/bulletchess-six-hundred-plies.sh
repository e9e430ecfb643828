#!/bin/sh
# bulletchess 0.4.0: a PGN game of more than 600 plies is an error for the reader; the game itself, made move by move, has no such limit.
# The longest game between masters, Nikolic - Arsovic 1989, has 538; games of engines pass 600.
# Guess before the run: a game of 1500 plies is read in less than a second.
# Seen: 600 plies are read, 604 are "Too many moves in game, can only store 600". 1500 moves are applied to a board without a word.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
for python in python3.14 python3.13 "${PYTHON:-python3}"; do "$python" -c "" 2>/dev/null && break; done  # it wants 3.13
"$python" -m venv env && env/bin/pip install -q --disable-pip-version-check bulletchess==0.4.0 2>/dev/null
cat >ask.py <<'PY'
from bulletchess import Board, Move
from bulletchess.pgn import PGNFile


def read(plies):
    words = [("Nf3", "Nf6", "Ng1", "Ng8")[ply % 4] for ply in range(plies)]
    moves = " ".join(f"{ply // 2 + 1}. {word}" if ply % 2 == 0 else word for ply, word in enumerate(words))
    with open("asked.pgn", "w") as file:
        file.write(f'[Event "?"]\n[Result "*"]\n\n{moves} *\n\n')
    with PGNFile.open("asked.pgn") as pgn:
        try:
            return len(pgn.next_game().moves)
        except ValueError:
            return "refused"


board = Board()
for ply in range(1500):
    board.apply(Move.from_uci(("g1f3", "g8f6", "f3g1", "f6g8")[ply % 4]))
print(read(600), read(604), board.fullmove_number)
PY
env/bin/python ask.py
test "$(env/bin/python ask.py)" = "600 refused 751"
