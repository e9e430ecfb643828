#!/bin/sh
# Debian 12's scid 4.7.4: in a Chess960 game whose FEN gives the right to castle with the inner of two rooks (letter B, rooks on a1
# and b1), O-O-O is played with the outer one, over the inner one. No warning.
# Expected: the rook of the letter castles, or the game is refused. Other Chess960 games it reads well.
# Seen: the king on c1, a rook on d1, and the rook of b1 still there: a1 is empty. Needs the libraries of Debian's scid (Tcl, Tk).
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
apt-get download -q scid=1:4.7.4+dfsg1-2 >/dev/null 2>&1
dpkg -x ./scid*.deb .
ldd usr/games/tkscid | grep -q 'not found' && { echo "libraries missing: apt-get install scid"; exit 1; }
cat >game.pgn <<'PGN'
[Event "?"]
[Result "*"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"]

1. O-O-O *
PGN
cat >ask.tcl <<'TCL'
set base [sc_base create MEMORY x]
puts "problems: [lindex [sc_base import $base game.pgn] 1]"
sc_base switch $base
sc_game load 1
sc_move end
puts [sc_pos fen]
TCL
usr/games/tkscid ask.tcl
test "$(usr/games/tkscid ask.tcl)" = "problems: 
4k3/8/8/8/8/8/8/1RKR4 b - - 1 1"
