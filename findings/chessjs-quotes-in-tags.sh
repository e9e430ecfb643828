#!/bin/sh
# chess.js 1.4.0: pgn() writes a quotation mark in a tag as it is, and loadPgn() refuses what pgn() wrote.
# Guess before the run: it is escaped, as the PGN standard says, and read back.
# Seen: [White "Robert "Bobby" T"], and an error from its own reader.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund chess.js@1.4.0 >/dev/null
cat >ask.mjs <<'JS'
import { Chess } from 'chess.js'
const game = new Chess()
game.setHeader('White', 'Robert "Bobby" T')
game.move('e4')
const text = game.pgn()
console.log(text.split('\n').find((line) => line.startsWith('[White')))
try { new Chess().loadPgn(text); console.log('read') } catch { console.log('refused') }
JS
test "$(node ask.mjs)" = '[White "Robert "Bobby" T"]
refused'
