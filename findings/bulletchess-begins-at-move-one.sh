#!/bin/sh
# bulletchess 0.4.0: a PGN game whose FEN begins at move 24, or with Black to move, is an error, for its first move must be White's first.
# Endgame studies and games from a book's position begin so; other readers take the number from the FEN, or take any.
# Expected: 24. Kf2 is read after a FEN with move number 24.
# Seen: "Expected the move number 1, got `24`"; 1. Kf2 is read, and the board says move 24. With Black to move 1... Kd7 2. Kf2 is refused too.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
for python in python3.14 python3.13 "${PYTHON:-python3}"; do "$python" -c "" 2>/dev/null && break; done  # it wants 3.13
"$python" -m venv env && env/bin/pip install -q --disable-pip-version-check bulletchess==0.4.0 2>/dev/null
cat >ask.py <<'PY'
import sys

from bulletchess import pgn

TAGS = "".join(f'[{name} "?"]\n' for name in ("Event", "Site", "Date", "Round", "White", "Black"))
for turn, moves in (("w", "24. Kf2 Kd7"), ("w", "1. Kf2 Kd7"), ("b", "24... Kd7 25. Kf2"), ("b", "1... Kd7 2. Kf2")):
    with open("game.pgn", "w") as file:
        file.write(f'{TAGS}[Result "*"]\n[SetUp "1"]\n[FEN "4k3/pp6/8/8/8/8/6PP/4K2R {turn} K - 3 24"]\n\n{moves} *\n\n')
    try:
        with pgn.PGNFile.open("game.pgn") as games:
            print(len(games.next_game().moves))
    except ValueError as error:
        print(str(error).partition("PGN: ")[2])
PY
test "$(env/bin/python ask.py)" = 'Expected the move number 1, got `24`
2
Expected the move number 1, got `24`
Expected the move number 1, got `2`'
