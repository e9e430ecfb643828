#!/bin/sh
# python-chess 1.11.2: a comment in braces before the first tag is a game of its own, without tags and moves.
# A comment behind a semicolon in the same place is passed over, and the game is read.
# Guess before the run: both are passed over.
# Seen: two games for the first: an empty one, and one that has lost its tags. No error is recorded.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check chess==1.11.2 2>/dev/null
cat >ask.py <<'PY'
import io
import chess.pgn

for comment in ("{ exported }", "; exported"):
    text, found = io.StringIO(f'{comment}\n[White "A"]\n\n1. e4 e5 *\n'), []
    while (game := chess.pgn.read_game(text)) is not None:
        found.append((game.headers["White"], len(list(game.mainline_moves())), len(game.errors)))
    print(found)
PY
env/bin/python ask.py
test "$(env/bin/python ask.py)" = "[('?', 0, 0), ('?', 2, 0)]
[('A', 2, 0)]"
