#!/bin/sh
# chess.js 1.4.0: a FEN with the king on b1 and castling rights KQ is accepted, and castling is a legal move there.
# Guess before the run: the FEN is refused, or the rights are dropped (it knows standard chess only).
# Seen: O-O takes the king from b1 to d1; the rook stays on h1.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund chess.js@1.4.0 >/dev/null
cat >ask.mjs <<'JS'
import { Chess } from 'chess.js'
const game = new Chess('rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1')
game.move('O-O')
console.log(game.fen())
JS
test "$(node ask.mjs)" = 'rk5r/8/8/8/8/8/8/R2K3R b kq - 1 1'
