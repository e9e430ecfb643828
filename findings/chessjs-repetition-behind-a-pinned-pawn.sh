#!/bin/sh
# chess.js 1.4.0: a position whose en-passant capture is impossible because of a pin occurs three times, with the same FEN (en-passant
# field "-") each time, and isThreefoldRepetition() says no.
# Expected: yes, since it looks at the capture when it writes the FEN.
# Seen: three equal FENs (but for the counters), and false. A fourth time makes it true.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund chess.js@1.4.0 >/dev/null
cat >ask.mjs <<'JS'
import { Chess } from 'chess.js'
const game = new Chess('8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1')
const seen = {}
const look = () => {
  const fen = game.fen().split(' ').slice(0, 4).join(' ')
  seen[fen] = (seen[fen] ?? 0) + 1
  return `${seen[fen]} ${game.isThreefoldRepetition()}`
}
const said = []
game.move('d4')
said.push(look())
for (let turn = 0; turn < 3; turn++) {
  for (const move of ['Kb5', 'Kd2', 'Ka4', 'Kd1']) game.move(move)
  said.push(look())
}
console.log(said.join(', '))
JS
node ask.mjs
test "$(node ask.mjs)" = '1 false, 2 false, 3 false, 4 true'
