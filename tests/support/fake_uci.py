"""A UCI engine for the tests of the tools: plays random legal moves, and misbehaves on request.

Usage: fake_uci.py [MODE [PIDFILE]]. From the third move of each game on, MODE does its mischief:
illegal: an illegal move; crash: exits; time: answers only to `stop`; stall: not even to that, nor to `quit`;
none: bestmove (none); first: the alphabetically first move, which it expects of the opponent too, and ponders
on; slow: the same, 0.3 s later; premature: the same as first, with a bestmove while pondering; deaf: the
same, without one after `stop`. Others: mate: announces a mate in 2 and thinks until `stop`; crash-at-once;
bounds: all scores are bounds; no-ponder: has no such option; no-960: the same of Chess960; castle: castles;
name: its name is the rest of the command line, as bytes.
"""

import os
import random
import sys
import time

import chess


def main() -> None:
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    if len(sys.argv) > 2 and mode != "name":
        with open(sys.argv[2], "a") as file:  # noqa: PTH123
            print(os.getpid(), file=file)
    rng, board, moves = random.Random(1), chess.Board(), 0
    chess960 = False
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["uci"]:
                name = os.fsencode(" ".join(sys.argv[2:]) if mode == "name" else f"Fake {mode}")
                sys.stdout.flush()
                os.write(1, b"id name " + name + b"\n")
                print("option name Seed type spin default 1 min 0 max 1000")
                print("option name Two Words type string default a b")
                if mode != "no-960":
                    print("option name UCI_Chess960 type check default false")
                if mode != "no-ponder":
                    print("option name Ponder type check default false")
                print("uciok")
            case ["isready"]:
                print("readyok")
            case ["setoption", "name", "Seed", "value", value]:
                rng = random.Random(int(value))
            case ["setoption", "name", "UCI_Chess960", "value", value]:
                chess960 = value == "true"
            case ["ucinewgame"]:
                moves = 0
            case ["position", *rest]:
                board = position(rest, chess960)
            case ["go", "ponder", *_]:
                if mode == "premature":
                    reply("", board, rng)
            case ["ponderhit"]:
                reply(mode, board, rng)
            case ["stop"] if mode == "deaf":
                pass
            case ["go", *_]:
                moves += 1
                print("info depth 1 score cp 999 lowerbound pv a1a1")
                if mode != "bounds":
                    print("info depth 3 multipv 1 score cp 12 nodes 100 time 1 pv a1a1")
                    print("info depth 3 multipv 2 score cp 11 nodes 100 time 1 pv a1a1")
                    print("info depth 4 score cp 10 upperbound nodes 100 time 1 pv a1a1")
                if mode == "mate":
                    print("info depth 4 score mate 2 nodes 100 pv a1a1")
                else:
                    print("info string score cp 777", flush=True)
                    reply(mode if moves >= 3 or mode in ("crash-at-once", "castle") else "", board, rng)
            case ["stop"]:
                reply("", board, rng)
            case ["quit"]:
                return
        sys.stdout.flush()


def position(words: list[str], chess960: bool) -> chess.Board:
    at = words.index("moves") if "moves" in words else len(words)
    fen = chess.STARTING_FEN if words[0] == "startpos" else " ".join(words[1:at])
    board = chess.Board(fen, chess960=chess960)
    for word in words[at + 1 :]:
        board.push_uci(word)
    return board


def reply(mode: str, board: chess.Board, rng: random.Random) -> None:
    if mode.startswith("crash"):
        os._exit(3)
    if mode == "stall":
        time.sleep(600)
    if mode in ("illegal", "none"):
        print("bestmove", "e1e5" if mode == "illegal" else "(none)")
    elif mode == "castle":
        print("bestmove", next(board.uci(move) for move in board.legal_moves if board.is_castling(move)))
    elif mode in ("first", "slow", "premature", "deaf"):
        time.sleep(0.3 * (mode == "slow"))
        print("bestmove", move := first(board), end=" ")
        board.push_uci(move)
        print("ponder", first(board))
    elif mode != "time":
        print("bestmove", board.uci(rng.choice(list(board.legal_moves))), "ponder a1a1")


def first(board: chess.Board) -> str:
    return min((board.uci(move) for move in board.legal_moves), default="0000")


if __name__ == "__main__":
    main()
