#!/bin/sh
# esca 0.4.0: a move of weight 0 in a Polyglot book is picked, if no other is there. Weight 0 is how books say "never play this".
# Expected: no move, as python-chess 1.11.2 and Scid say.
# Seen: pick() and best() give d2d4 from a book whose two moves have weight 0; chess.polyglot finds none.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
python=$(command -v python3.14 || command -v python3.13 || command -v python3.12 || command -v python3)
"$python" -m venv env && env/bin/pip install -q --disable-pip-version-check esca==0.4.0 chess==1.11.2 2>/dev/null
cat >ask.py <<'PY'
import struct

import chess
import chess.polyglot
import esca

board = chess.Board()
with open("zero.bin", "wb") as file:
    for start, end in ((chess.D2, chess.D4), (chess.E2, chess.E4)):
        file.write(struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), start << 6 | end, 0, 0))
book, position = esca.polyglot.Book("zero.bin"), esca.Position.from_fen(board.fen())
picked = {book.pick(position, seed).move.uci() for seed in range(20)}
with chess.polyglot.open_reader("zero.bin") as reader:
    print(picked <= {"d2d4", "e2e4"}, book.best(position).move.uci(), reader.get(board))
PY
env/bin/python ask.py
test "$(env/bin/python ask.py)" = "True d2d4 None"
