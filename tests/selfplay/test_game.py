"""Games of players inside the process: who moves, when they end, what is logged."""

from collections.abc import Sequence

import chess
import pytest

from sssnake._fast.board.board import Board
from sssnake.engine.games.adjudication import Adjudication
from sssnake.engine.games.outcome import BLACK_WON, DRAWN
from sssnake.engine.player.limits import Limits
from sssnake.engine.selfplay.game import play
from sssnake.engine.selfplay.players import SearchPlayer, ShallowPlayer, Side

OPEN = Adjudication()  # nothing but the rules ends a game
FOOL = ("f2f3", "e7e5", "g2g4", "d8h4")
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


class Scripted:
    """Plays its moves in turn, and says one score of all."""

    def __init__(self, moves: Sequence[str], score: int = 0) -> None:
        self.moves, self.score = moves, score
        self.games, self.seen = 0, list[str]()

    def new_game(self) -> None:
        self.games += 1
        self.left = list(self.moves)

    def move(self, board: Board) -> tuple[str, int]:
        self.seen.append(board.fen())
        move = self.left.pop(0)
        board.push(move)  # what a player does to its board is nothing to the game
        return move, self.score


def test_each_side_moves_when_it_is_its_turn() -> None:
    white, black = Scripted(FOOL[::2], 30), Scripted(FOOL[1::2], -40)
    game = play((white, black), chess.Board(), OPEN)
    assert game is not None and game.result == BLACK_WON and game.board.is_checkmate
    assert [score for _move, score in game.plies] == [30, -40] * 2
    moves, board = [move for move, _score in game.plies], Board()
    for name in FOOL:
        assert board.parse(name) == moves.pop(0)
        board.push(name)
    assert (white.games, black.games) == (1, 1)
    assert [fen.split()[1] for fen in white.seen + black.seen] == ["w", "w", "b", "b"]


def test_one_player_for_both_sides_begins_one_game() -> None:
    both = Scripted(FOOL)
    game = play((both, both), chess.Board(), OPEN)
    assert game is not None and game.result == BLACK_WON and both.games == 1


def test_black_may_be_first_to_move() -> None:
    white, black = Scripted(()), Scripted(("d8h4",))
    start = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2")
    game = play((white, black), start, OPEN)
    assert game is not None and game.result == BLACK_WON and not white.seen


@pytest.mark.parametrize("before", [0, 4])
def test_the_openings_moves_count_for_repetitions_and_plies(before: int) -> None:
    start = chess.Board()
    for move in SHUFFLE[:before]:
        start.push_uci(move)
    both = Scripted(SHUFFLE * 2)
    game = play((both, both), start, OPEN)
    assert game is not None and game.result == DRAWN and len(game.plies) == 8 - before
    broken = play((both, both), start, OPEN, plies=5)
    assert broken is not None and broken.result is None and len(broken.plies) == 5 - before
    drawn = play((both, both), start, Adjudication(longest=6))
    assert drawn is not None and drawn.result == DRAWN and len(drawn.plies) == 6 - before


@pytest.mark.parametrize(("score", "played"), [(50, True), (-50, True), (51, False), (-51, False)])
def test_a_start_must_be_fair(score: int, played: bool) -> None:
    """By its first score alone."""
    both = Scripted(FOOL, score)
    assert (play((both, both), chess.Board(), OPEN, fair=50) is not None) == played
    white, black = Scripted(FOOL[::2]), Scripted(FOOL[1::2], 900)
    assert play((white, black), chess.Board(), OPEN, fair=50) is not None


# -- players -----------------------------------------------------------------------------------------------

ROOK_UP = "4k3/8/8/8/8/8/8/R3K3 {} - - 0 1"


@pytest.mark.parametrize("turn", ["w", "b"])
@pytest.mark.parametrize("kind", ["search", "shallow"])
def test_scores_are_whites(kind: str, turn: str) -> None:
    player = SearchPlayer(Side(), Limits(depth=4)) if kind == "search" else ShallowPlayer(Side(), 4)
    player.new_game()
    board = Board(ROOK_UP.format(turn))
    move, score = player.move(board)
    assert move in board.legal_moves() and score > 300


def test_a_player_counts_what_it_does() -> None:
    player = SearchPlayer(Side(), Limits(nodes=300))
    for number in (1, 2):
        player.move(Board())
        assert 0 < player.nodes <= number * 364 and player.iterations <= player.passes


@pytest.mark.parametrize("kind", ["search", "shallow"])
def test_players_obey_their_own_parameters(kind: str) -> None:
    """In turns, on one position: each does what it does alone."""

    def made(values: dict[str, int]) -> SearchPlayer | ShallowPlayer:
        side = Side(values)
        return SearchPlayer(side, Limits(depth=6)) if kind == "search" else ShallowPlayer(side, 6)

    def effort(player: SearchPlayer | ShallowPlayer) -> tuple[str, int, int]:
        player.new_game()
        return *player.move(Board()), player.engine.prepare().nodes

    settings: list[dict[str, int]] = [{}, {"lmr_depth": 0}]
    alone = [effort(made(values)) for values in settings]
    players = [made(values) for values in settings]
    assert [[effort(player) for player in players] for _ in range(2)] == [alone] * 2
    assert alone[0] != alone[1]
