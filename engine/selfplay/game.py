"""A self-play game inside this process: at fixed nodes or depth, without a clock."""

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from sssnake._fast.board.board import Board
from sssnake.engine.games.adjudication import Adjudication
from sssnake.engine.games.outcome import result_by_rules
from sssnake.engine.selfplay.players import Player

LONGEST = 400  # plies, then a draw


@dataclass
class Game:
    """A self-play game: its last position, its moves with White's scores, its result."""

    board: Board
    plies: list[tuple[int, int]]  # (16-bit move, White's centipawns)
    result: int | None  # White's half points; None: broken off undecided


def play(
    players: Sequence[Player],
    start: chess.Board,
    adjudication: Adjudication,
    *,
    plies: int | None = None,
    fair: int | None = None,
) -> Game | None:
    """Play a game; `players`: White's and Black's. The moves of `start` count for repetitions.

    plies: break the game off after so many, those of the start included. fair: return None if the first score
    (centipawns) is larger than that.
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
