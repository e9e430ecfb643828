#!/bin/sh
# chess.js 1.4.0: a blank between the parenthesis of a variation and a comment is an error for the whole game; without the blank,
# or with a blank and a move, it is read. python-chess writes the blank: of its annotated games many cannot be read.
# Expected: blanks do not matter there.
# Seen: ({ b } 1. d4) is read, ( 1. d4) is read, ( { b } 1. d4) is refused.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund chess.js@1.4.0 >/dev/null
cat >ask.mjs <<'JS'
import { Chess } from 'chess.js'
for (const variation of ['({ b } 1. d4)', '( 1. d4)', '( { b } 1. d4)']) {
  const game = new Chess()
  try { game.loadPgn(`[Event "x"]\n\n1. e4 ${variation} 1... e5 *`); console.log(game.history().join(' ')) } catch { console.log('refused') }
}
JS
test "$(node ask.mjs)" = 'e4 e5
e4 e5
refused'
