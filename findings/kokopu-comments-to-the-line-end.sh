#!/bin/sh
# kokopu 4.13.4: a game with a comment from ";" to the end of its line, or with a line that "%" hides, is an error. Both are in the PGN
# standard (sections 5 and 6) and python-chess reads them; no other game of the file is lost.
# Expected: the comment is read and the line skipped, as suffixes, null moves and castling with zeros are read.
# Seen: "Unrecognized character or group of characters." for both games; the plain game after them is read.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund kokopu@4.13.4 >/dev/null
cat >games.pgn <<'PGN'
[Event "semicolon"]
[Result "*"]

1. e4 ; the king's pawn
1... e5 *

[Event "percent"]
[Result "*"]

1. e4
% a line that is not for readers
1... e5 *

[Event "plain"]
[Result "*"]

1. e4 {the king's pawn} 1... e5 *
PGN
cat >ask.mjs <<'JS'
import { readFileSync } from 'fs'
import { pgnRead } from 'kokopu'
const games = pgnRead(readFileSync('games.pgn', 'utf8'))
for (let i = 0; i < games.gameCount(); i++) {
  try { console.log(games.game(i).plyCount()) } catch (problem) { console.log(problem.message) }
}
JS
test "$(node ask.mjs)" = 'Unrecognized character or group of characters.
Unrecognized character or group of characters.
2'
