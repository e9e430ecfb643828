#!/bin/sh
# Debian 12's ethereal-chess 12.00, toga2 3.0.0.1SE1 and gnuchess 6.2.7 do not know UCI's `searchmoves`:
# they play another move than the only one that they were asked to look at, without a word.
# Guess before the run: all three obey; it is as old as the protocol (2000), and analysis of a single move rests on it.
# Seen: none plays a2a3. Stockfish 15.1, asked the same way, does.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
for package in ethereal-chess=12.00+ds1-1 toga2=3.0.0.1SE1-2+b1 gnuchess=6.2.7-1+deb12u1 stockfish=15.1-4; do apt-get download -q "$package" >/dev/null 2>&1; done
for file in ./*.deb; do dpkg -x "$file" .; done
ask() { { printf 'uci\nisready\nposition startpos\ngo depth 6 searchmoves a2a3\n'; sleep 4; echo quit; } | "$@" 2>/dev/null | grep -ao 'bestmove ....'; }
for engine in "usr/games/ethereal-chess" "usr/games/toga2" "usr/games/gnuchess --uci"; do
    found=$(ask $engine) && echo "$engine: $found"
    test "$found" != "bestmove a2a3"
done
test "$(ask usr/games/stockfish)" = "bestmove a2a3"
