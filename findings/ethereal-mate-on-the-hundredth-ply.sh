#!/bin/sh
# Debian 12's ethereal-chess 12.00: with 99 plies since the last capture it does not give mate in one, which ends the game before the
# fifty-move rule can (FIDE laws, 9.6.2 and 5.1.1): it takes the hundredth ply for a draw, whatever it is, and plays another move.
# Expected: every engine mates here.
# Seen: another move than a7a8 at 99 plies, with a score of a draw; a7a8 at 98. Stockfish 15.1, GNU Chess 6.2.7, Toga 3.0 mate at 99.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
for package in ethereal-chess=12.00+ds1-1 toga2=3.0.0.1SE1-2+b1 gnuchess=6.2.7-1+deb12u1 stockfish=15.1-4; do apt-get download -q "$package" >/dev/null 2>&1; done
for file in ./*.deb; do dpkg -x "$file" .; done
ask() { plies=$1; shift; { printf 'uci\nisready\nposition fen 7k/R7/6K1/8/8/8/8/8 w - - %s 100\ngo depth 5\n' "$plies"; sleep 3; echo quit; } | "$@" 2>/dev/null | grep -ao 'bestmove ....'; }
for engine in usr/games/stockfish usr/games/toga2 "usr/games/gnuchess --uci"; do
    test "$(ask 99 $engine)" = "bestmove a7a8"
done
test "$(ask 98 usr/games/ethereal-chess)" = "bestmove a7a8"
found=$(ask 99 usr/games/ethereal-chess) && echo "$found"
test "$found" != "bestmove a7a8"
