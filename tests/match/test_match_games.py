"""The games of a match: clocks, ends by the rules, adjudication, scores, pairs."""

import random

import chess
import chess.pgn
import pytest
from support.constants import FAKE

from sssnake.engine.games.openings import openings
from sssnake.engine.games.outcome import Repetitions, outcome_with_history
from sssnake.engine.match import client
from sssnake.engine.match import game as match_game
from sssnake.engine.match.client import EngineError, InfoLine, UciEngine
from sssnake.engine.match.game import Rules, TimeControl
from sssnake.engine.match.processes import EngineConfig, EnginePool
from sssnake.engine.match.report import Report
from sssnake.engine.match.runner import schedule


def test_time_controls() -> None:
    assert TimeControl.parse("3+0.03") == TimeControl(3, 0.03)
    assert TimeControl.parse("40/60") == TimeControl(60, 0, 40)
    assert str(TimeControl.parse("40/60+0.5")) == "40/60+0.5"
    for text in ("", "+1", "0", "0+0", "nan", "inf", "1/2/3", "x+1", "-5/3"):
        with pytest.raises(ValueError, match="time control"):
            TimeControl.parse(text)


def test_clock() -> None:
    clock = match_game._Clock(TimeControl(2, 0.5, 2))
    assert (clock.left, clock.to_go) == (2.5, 2), "with the increment of the first move"
    clock.spend(1)
    assert (clock.left, clock.to_go) == (2, 1)
    assert match_game._go_command((clock, clock), chess.WHITE) == (
        "go wtime 2000 winc 500 btime 2000 binc 500 movestogo 1"
    )
    clock.spend(2.005)  # inside the margin
    assert (clock.left, clock.to_go) == (2.5, 2)


def test_late_moves_forfeit_and_the_margin_forgives() -> None:
    class Slow(UciEngine):
        def __init__(self) -> None:
            self.board = chess.Board()

        def new_game(self) -> None: ...

        def go(self, position: str, go: str, seconds: float | None = None) -> client.Reply:
            board = chess.Board()
            for word in position.split()[3:]:
                board.push_uci(word)
            return client.Reply(next(iter(board.legal_moves)).uci(), 0.105, InfoLine())

    engines, control = (Slow(), Slow()), TimeControl(0.05, 0.05)
    strict = match_game.play(engines, (control, control), chess.Board(), Rules(margin=0.0))
    assert (strict.result, strict.reason, strict.fault) == ("0-1", "time", chess.WHITE)
    lenient = match_game.play(engines, (control, control), chess.Board(), Rules(margin=0.01, max_moves=1))
    assert lenient.reason == "length"


@pytest.mark.parametrize(
    ("fen", "moves", "end"),
    [
        (chess.STARTING_FEN, "f2f3 e7e5 g2g4 d8h4", ("0-1", "checkmate")),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6", ("1/2-1/2", "stalemate")),
        ("7k/8/8/8/8/8/6q1/K7 w - - 99 80", "a1b1", ("1/2-1/2", "fifty moves")),
        ("7k/8/8/8/8/8/6q1/K7 w - - 98 80", "a1b1", None),
        ("k7/8/1K6/8/8/8/8/7R w - - 99 80", "h1h8", ("1-0", "checkmate")),
        ("7k/8/8/8/8/8/1q6/K7 w - - 0 80", "a1b2", ("1/2-1/2", "insufficient material")),
        ("7k/8/8/8/8/8/1p6/K7 b - - 0 80", "h8g8", None),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", None),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", ("1/2-1/2", "threefold repetition")),
    ],
)
def test_ends_of_games(fen: str, moves: str, end: tuple[str, str] | None) -> None:
    *opening, last = moves.split()
    start = chess.Board(fen)
    for word in opening[:2]:
        start.push_uci(word)  # an opening: its positions count for repetitions too
    referee, board = match_game._Referee(start, Rules()), start.copy()
    for word in opening[2:]:
        board.push_uci(word)
        assert referee.end(board) is None
    board.push_uci(last)
    assert referee.end(board) == end


@pytest.mark.parametrize(
    ("fen", "opening", "longest"),
    [
        (chess.STARTING_FEN, "", 3),
        (chess.STARTING_FEN, "e2e4 e7e5 g1f3 b8c6 f1b5", 1),
        ("8/8/4k3/3n4/8/4N3/4K3/8 w - - 0 80", "", 20),
        ("8/8/4k3/3n4/8/4N3/4K3/8 b - - 0 80", "", 2),
    ],
)
def test_a_game_is_drawn_after_so_many_moves_of_each_side(fen: str, opening: str, longest: int) -> None:
    """Whatever number the first of them has, and however long the opening was."""
    start = chess.Board(fen)
    for word in opening.split():
        start.push_uci(word)
    referee, board, found = (
        match_game._Referee(start, Rules(max_moves=longest)),
        start.copy(),
        list[tuple[str, str] | None](),
    )
    for _ in range(2 * longest):
        assert not found or found[-1] is None
        board.push(chess.Move.null())
        referee.repetitions = Repetitions()
        found.append(referee.end(board))
    assert found[-1] == ("1/2-1/2", "length")


def test_repetitions_know_captures_in_passing() -> None:
    """1. e4 lets Black capture in passing once; without a pawn beside it, that square does not count."""
    capture = chess.Board("4k3/8/8/8/3p4/8/4P3/4K2N w - - 0 1")
    none = chess.Board("4k3/8/8/8/p7/8/4P3/4K2N w - - 0 1")
    for board, times in ((capture, 2), (none, 3)):
        for word in ("e2e4", *["e8e7", "h1g3", "e7e8", "g3h1", "e8e7", "h1g3", "e7e8", "g3h1"]):
            board.push_uci(word)
        assert Repetitions().replay(board) == times
        assert outcome_with_history(board) == (("1/2-1/2", "threefold repetition") if times == 3 else None)


def test_adjudication_needs_both_sides() -> None:
    def feed(rules: Rules, scores: list[int], fullmove: int = 50) -> tuple[str, str] | None:
        board = chess.Board(f"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {fullmove}")
        referee, found = match_game._Referee(board, rules), None
        for score in scores:
            assert found is None
            found = referee.agreement(board, InfoLine(cp=score))
            board.push(chess.Move.null())
        return found

    resign = Rules(resign_moves=2, resign_score=500)
    assert feed(resign, [600, -600, 600]) is None
    assert feed(resign, [600, -600, 600, -600]) == ("1-0", "adjudicated win")
    assert feed(resign, [-600, 600, -600, 600]) == ("0-1", "adjudicated win")
    assert feed(resign, [600, -400, 600, -600, 600]) is None
    draw = Rules(draw_from=40, draw_moves=2, draw_score=10)
    assert feed(draw, [5, -5, 10, 0]) == ("1/2-1/2", "adjudicated draw")
    assert feed(draw, [5, -5, 11, 0, 0]) is None
    assert feed(draw, [0, 0, 0, 0, 0], fullmove=30) is None
    referee = match_game._Referee(chess.Board(), Rules(resign_moves=1))
    assert referee.agreement(chess.Board(), InfoLine()) is None


def agreed(rules: Rules, fullmoves: list[int], scores: list[int | None]) -> list[tuple[str, str] | None]:
    """What counters say after each ply; `scores` are White's, `fullmoves` the numbers of the scored moves."""
    winning, level, found = {1: 0, -1: 0}, 0, list[tuple[str, str] | None]()
    for number, score in zip(fullmoves, scores, strict=True):
        end = None
        for sign in (1, -1):
            ahead = score is not None and sign * score >= rules.resign_score
            winning[sign] = winning[sign] + 1 if ahead else 0
            if rules.resign_moves and winning[sign] >= 2 * rules.resign_moves:
                end = end or ("1-0" if sign > 0 else "0-1", "adjudicated win")
        drawn = score is not None and abs(score) <= rules.draw_score and number >= rules.draw_from
        level = level + 1 if drawn else 0
        if rules.draw_moves and level >= 2 * rules.draw_moves:
            end = end or ("1/2-1/2", "adjudicated draw")
        found.append(end)
    return found


def test_adjudication_counts_plies_in_a_row() -> None:
    rng = random.Random(1)
    ends = set[str | None]()
    for _ in range(500):
        rules = Rules(
            resign_moves=rng.randrange(4),
            resign_score=rng.choice((0, 100, 400)),
            draw_from=rng.randrange(16),
            draw_moves=rng.randrange(4),
            draw_score=rng.choice((0, 10, 100)),
        )
        board = chess.Board(f"4k3/8/8/8/8/8/4P3/4K3 {rng.choice('wb')} - - 0 {rng.randrange(1, 12)}")
        referee, found = match_game._Referee(board, rules), list[tuple[str, str] | None]()
        fullmoves, scores = list[int](), list[int | None]()
        centre = rng.choice((0, 0, 300, -300))
        for _ply in range(40):
            score = None if rng.random() < 0.05 else centre + rng.choice((0, 5, -10, 100, -100))
            mate = rng.choice((None,) * 9 + (3, -3, 0))
            found.append(referee.agreement(board, InfoLine(cp=score, mate=mate)))
            if mate is not None:
                score = 100_000 if mate > 0 else -100_000
            scores.append(None if score is None else score if board.turn else -score)
            fullmoves.append(board.fullmove_number)
            board.push(chess.Move.null())
            centre = -centre
        first = next((ply for ply, end in enumerate(found) if end), 39)
        assert found[: first + 1] == agreed(rules, fullmoves, scores)[: first + 1]
        end = found[first]
        ends.add(end[0] if end else None)
    assert ends == {"1-0", "0-1", "1/2-1/2", None}


def test_position_command_keeps_the_opening_moves() -> None:
    board = chess.Board()
    assert match_game._position_command(board) == "position startpos"
    board.push_san("e4")
    assert match_game._position_command(board) == "position startpos moves e2e4"
    board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 3 9")
    board.push_san("O-O-O")
    assert match_game._position_command(board) == ("position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 moves e1c1")


def test_info_lines() -> None:
    line = b"info depth 12 seldepth 20 score mate -3 nodes 4096 nps 100 time 7 pv e2e4 depth 99"
    assert InfoLine.parse(line) == InfoLine(12, None, -3, 4096)
    assert InfoLine.parse(b"info depth x score cp") == InfoLine()


@pytest.mark.parametrize(("mode", "cp"), [("", 12), ("bounds", 999)])
def test_the_last_exact_score_counts_or_else_the_last_bound(mode: str, cp: int) -> None:
    engine = UciEngine([*FAKE.split(), mode])
    try:
        engine.handshake()
        assert engine.options["two words"].default == "a b"
        reply = engine.go("position startpos", "go depth 1", 20)
        assert reply.info.cp == cp
        assert chess.Board().is_legal(chess.Move.from_uci(reply.move))
        assert 0 < reply.seconds < 20
    finally:
        engine.close()


def test_exact_scores_of_the_best_line_are_told_of_at_once() -> None:
    engine, told = UciEngine(FAKE.split()), list[bytes]()
    engine.on_info = told.append
    try:
        engine.handshake()
        engine.go("position startpos", "go depth 1", 20)
    finally:
        engine.close()
    assert told == [b"info depth 3 multipv 1 score cp 12 nodes 100 time 1 pv a1a1"]


def test_no_engine_starts_after_the_end() -> None:
    """A thread that is about to start one would leave it behind."""
    pool, config = EnginePool(), EngineConfig(FAKE.split(), TimeControl(1))
    assert pool.engine(0, config) is pool.engine(0, config)
    pool.close(kill=False)
    with pytest.raises(EngineError):
        pool.engine(0, config)


def test_schedule_is_paired() -> None:
    players = [EngineConfig(["x"], TimeControl(1), name=name) for name in "AB"]
    tasks = list(schedule([(0, 1)], 3, openings(None)))
    assert [(t.number, t.white, t.black, t.pair) for t in tasks[:4]] == [
        (0, 0, 1, 0),
        (1, 1, 0, 0),
        (2, 0, 1, 1),
        (3, 1, 0, 1),
    ]
    assert tasks[0].start is tasks[1].start is not tasks[2].start
    assert "no faults" in Report(players, [(0, 1)]).text()
