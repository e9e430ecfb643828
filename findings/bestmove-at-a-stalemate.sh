#!/bin/sh
# Asked for a move where there is none (stalemate, or mated), Debian 12's ethereal-chess 12.00, toga2 3.0.0.1SE1, gnuchess 6.2.7 answer
# `bestmove a1a1`: not the null move 0000 of the UCI specification, nor Stockfish's (none).
# Guess before the run: 0000 or (none).
# Seen: a1a1 from all three, with an empty square on a1. Stockfish 15.1: (none).
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
for package in ethereal-chess=12.00+ds1-1 toga2=3.0.0.1SE1-2+b1 gnuchess=6.2.7-1+deb12u1 stockfish=15.1-4; do apt-get download -q "$package" >/dev/null 2>&1; done
for file in ./*.deb; do dpkg -x "$file" .; done
ask() { { printf 'uci\nisready\nposition fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 5\n'; sleep 3; echo quit; } | "$@" 2>/dev/null | grep -ao 'bestmove [^ ]*'; }
for engine in "usr/games/ethereal-chess" "usr/games/toga2" "usr/games/gnuchess --uci"; do
    test "$(ask $engine)" = "bestmove a1a1"
done
test "$(ask usr/games/stockfish)" = "bestmove (none)"
