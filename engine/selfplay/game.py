"""One game of the engine against itself, inside this process: at fixed nodes or depth, without a clock."""

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from _fast.board.board import Board
from engine.games.adjudication import Adjudication, result_by_rules
from engine.selfplay.players import Player

LONGEST = 400  # plies, then a draw


@dataclass
class Game:
    """A game that was played: its end, the moves since the start with White's scores, its result."""

    board: Board
    plies: list[tuple[int, int]]  # (16-bit move, White's centipawns)
    result: int | None  # White's half points; None: broken off while it was open


def play(
    players: Sequence[Player],
    start: chess.Board,
    adjudication: Adjudication,
    *,
    plies: int | None = None,
    fair: int | None = None,
) -> Game | None:
    """Play from `start`, its moves included in what counts for repetitions; `players`: White's and Black's.

    plies: break the game off when so many have been played, those of the start included. fair: None is
    returned where the first score, in centipawns, is larger.
    """
    game = Game(Board.from_chess(start), [], None)
    scores: list[int] = []
    for player in set(players):
        player.new_game()
    played = len(start.move_stack)
    while True:
        game.result = result_by_rules(game.board)
        if game.result is None:
            game.result = adjudication.result(scores, played)
        if game.result is not None or (plies is not None and played >= plies):
            return game
        move, score = players[not game.board.turn].move(game.board.copy())
        if fair is not None and not scores and abs(score) > fair:
            return None
        game.plies.append((game.board.parse(move), score))
        scores.append(score)
        game.board.push(move)
        played += 1
