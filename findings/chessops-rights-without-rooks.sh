#!/bin/sh
# chessops 0.15.1: a FEN whose castling rights have no rooks is read without an error, and written with other letters.
# Guess before the run: refused, or written as "-", as python-chess does with clean rights.
# Seen: "w KQ" of two bare kings comes back as "w HA"; the same letters as a rook on its place would give in Chess960.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund chessops@0.15.1 >/dev/null
cat >ask.mjs <<'JS'
import { makeFen, parseFen } from 'chessops/fen'
console.log(makeFen(parseFen('4k3/8/8/8/8/8/8/4K3 w KQ - 0 1').unwrap()))
JS
test "$(node ask.mjs)" = '4k3/8/8/8/8/8/8/4K3 w HA - 0 1'
