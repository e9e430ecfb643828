"""One game between engines of the test's own: what they are told, when they lose, what is left to do."""

import chess
import pytest

from sssnake.engine.games.adjudication import Adjudication
from sssnake.engine.match import game as match_game
from sssnake.engine.match import match
from sssnake.engine.match.client import (
    EngineError,
    EngineTimeoutError,
    InfoLine,
    PrematureMoveError,
    Reply,
    UciEngine,
)
from sssnake.engine.match.game import GRACE_SECONDS, Rules, TimeControl

FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"
CLOCK = TimeControl.parse("60+1")


class Script(UciEngine):
    """Plays its moves one after the other, expects what it is told to, and notes every call.

    moves: a move, a move and what is expected ("e2e4 e7e5"), or an error to raise.
    """

    def __init__(self, *moves: str | EngineError, start: EngineError | None = None, ponders: bool = False):
        self.moves = list(moves)
        self.start = start
        self.ponders = ponders
        self.seconds = 0.0  # that each move takes
        self.stopped: EngineError | None = None
        self.calls: list[str] = []

    def new_game(self) -> None:
        self.calls.append("new")
        if self.start is not None:
            raise self.start

    def go(self, position: str, go: str, seconds: float | None = None) -> Reply:
        self.calls.append(f"{position}, {go}")
        return self._answer()

    def ponder(self, position: str, go: str) -> None:
        self.calls.append(f"{position}, {go}")

    def ponderhit(self, seconds: float | None = None) -> Reply:
        self.calls.append("hit")
        return self._answer()

    def stop(self, seconds: float) -> Reply:
        assert seconds == GRACE_SECONDS
        self.calls.append("stop")
        if self.stopped is not None:
            raise self.stopped
        return Reply("0000", 0.0, InfoLine())

    def _answer(self) -> Reply:
        said = self.moves.pop(0)
        if isinstance(said, EngineError):
            raise said
        move, _, expected = said.partition(" ")
        return Reply(move, self.seconds, InfoLine(), expected)


def play(
    white: Script, black: Script, control: TimeControl = CLOCK, rules: Rules | None = None
) -> match_game.Played:
    return match_game.play((black, white), (control, control), chess.Board(), rules or Rules())


def test_engines_are_told_the_game_and_both_clocks() -> None:
    white, black = Script("f2f3", "g2g4"), Script("e7e5", "d8h4")
    white.seconds, black.seconds = 2.0, 0.5
    game = play(white, black)
    assert (game.result, game.reason, game.fault, game.broken) == ("0-1", "checkmate", None, [])
    assert white.calls == [
        "new",
        "position startpos, go wtime 61000 winc 1000 btime 61000 binc 1000",
        "position startpos moves f2f3 e7e5, go wtime 60000 winc 1000 btime 61500 binc 1000",
    ]
    assert black.calls == [
        "new",
        "position startpos moves f2f3, go wtime 60000 winc 1000 btime 61000 binc 1000",
        "position startpos moves f2f3 e7e5 g2g4, go wtime 59000 winc 1000 btime 61500 binc 1000",
    ]


def test_a_ponderhit_a_miss_and_what_is_left_when_the_game_ends() -> None:
    white = Script("f2f3 e7e5", "g2g4 a7a6", ponders=True)
    black = Script("e7e5 a2a3", "d8h4", ponders=True)
    game = play(white, black)
    assert game.reason == "checkmate" and game.guesses == [
        (chess.WHITE, True),
        (chess.BLACK, False),
    ]
    told = [call.partition(",")[0].removeprefix("position startpos moves ") for call in white.calls]
    assert told == ["new", "position startpos", "f2f3 e7e5", "hit", "f2f3 e7e5 g2g4 a7a6", "stop"]
    assert "go ponder wtime" in white.calls[2]
    told = [call.partition(",")[0].removeprefix("position startpos moves ") for call in black.calls]
    assert told == ["new", "f2f3", "f2f3 e7e5 a2a3", "stop", "f2f3 e7e5 g2g4"]


@pytest.mark.parametrize("expected", ["", "0000", "e1e5", "nonsense", "d8h4"])
def test_nothing_to_ponder_on(expected: str) -> None:
    """No move, an illegal one, or one that ends the game."""
    white, black = Script("f2f3", f"g2g4 {expected}", ponders=True), Script("e7e5", "d8h4")
    assert play(white, black).guesses == []
    assert not any("ponder" in call or call == "stop" for call in white.calls)


@pytest.mark.parametrize("color", [chess.WHITE, chess.BLACK])
@pytest.mark.parametrize(
    ("said", "reason", "broken"),
    [
        ("e2e5", "illegal", False),
        ("0000", "illegal", False),
        ("", "illegal", False),
        ("(none)", "illegal", False),
        (PrematureMoveError("bestmove while pondering"), "illegal", True),
        (EngineError("the engine has gone"), "crash", True),
    ],
)
def test_whoever_is_at_fault_loses(
    color: chess.Color, said: str | EngineError, reason: str, broken: bool
) -> None:
    game = play(Script(said), Script()) if color else play(Script("e2e4"), Script(said))
    assert (game.result, game.reason, game.fault) == ("0-1" if color else "1-0", reason, color)
    assert game.broken == [color] * broken


@pytest.mark.parametrize("color", [chess.WHITE, chess.BLACK])
@pytest.mark.parametrize(
    ("error", "reason"), [(EngineError("gone"), "crash"), (EngineTimeoutError("no answer"), "stall")]
)
def test_an_engine_that_does_not_begin_loses(color: chess.Color, error: EngineError, reason: str) -> None:
    failing, well = Script(start=error), Script()
    game = play(failing, well) if color else play(well, failing)
    assert (game.result, game.reason, game.fault) == ("0-1" if color else "1-0", reason, color)
    assert game.broken == [color]


@pytest.mark.parametrize(
    ("stopped", "control", "reason", "broken"),
    [
        (None, CLOCK, "time", False),
        (None, TimeControl(fixed="movetime 100"), "time", False),
        (None, TimeControl(fixed="depth 8"), "stall", False),
        (EngineTimeoutError("still no answer"), CLOCK, "stall", True),
        (EngineError("gone"), CLOCK, "crash", True),
    ],
)
def test_no_answer_in_time(
    stopped: EngineError | None, control: TimeControl, reason: str, broken: bool
) -> None:
    """An engine that answers to `stop` is used on."""
    white = Script(EngineTimeoutError("no answer in time"))
    white.stopped = stopped
    game = play(white, Script(), control)
    assert (game.result, game.reason, game.fault) == ("0-1", reason, chess.WHITE)
    assert game.broken == [chess.WHITE] * broken and white.calls[-1] == "stop"
    # GNU Chess 6.2.7 and Toga II 3.0 think on after `go nodes`.
    assert ("may not know go depth 8" in game.detail) == bool(control.fixed and not control.timed)


@pytest.mark.parametrize(
    ("control", "seconds", "late"),
    [
        (CLOCK, 61.01, False),
        (CLOCK, 61.011, True),
        (TimeControl(fixed="movetime 500"), 0.6, False),
        (TimeControl(fixed="movetime 500"), 0.601, True),
        (TimeControl(fixed="nodes 500"), 1000.0, False),
    ],
)
def test_the_margin_of_each_limit(control: TimeControl, seconds: float, late: bool) -> None:
    white, black = Script("f2f3", "g2g4"), Script("e7e5", "d8h4")
    white.seconds = seconds
    game = play(white, black, control, Rules(max_moves=1))
    assert game.reason == ("time" if late else "length")


@pytest.mark.parametrize(
    ("control", "rules", "seconds"),
    [
        (TimeControl(2, 0.5), Rules(margin=0.2), 2.7),
        (TimeControl(fixed="movetime 100"), Rules(movetime_margin=0.3, margin=9), 0.4),
        (TimeControl(fixed="depth 8"), Rules(stall=7.0), 7.0),
    ],
)
def test_seconds_that_a_move_may_take(control: TimeControl, rules: Rules, seconds: float) -> None:
    assert match_game._allowed(match_game._Clock(control), rules) == pytest.approx(seconds)


def test_a_side_without_a_clock_is_shown_with_the_others() -> None:
    clocks = match_game._Clock(TimeControl(fixed="depth 8")), match_game._Clock(TimeControl(5, 1, 40))
    assert match_game._go_command(clocks, chess.BLACK) == "go depth 8"
    assert match_game._go_command(clocks, chess.WHITE) == (
        "go wtime 6000 winc 1000 btime 6000 binc 1000 movestogo 40"
    )
    clocks[1].left = -0.01  # within the margin
    assert match_game._go_command(clocks, chess.WHITE).startswith("go wtime 1 ")


def test_timed_are_clocks_and_times_a_move() -> None:
    fixed = [TimeControl(fixed=text) for text in ("movetime 100", "nodes 100", "depth 5")]
    assert [control.timed for control in (CLOCK, *fixed)] == [True, True, False, False]
    assert [control.movetime for control in (CLOCK, *fixed)] == [None, 0.1, None, None]
    for text in ("-1/60", "1000000", "5+1000000", "5+-1"):
        with pytest.raises(ValueError, match="time control"):
            TimeControl.parse(text)
    assert TimeControl.parse("999999") == TimeControl(999_999, 0, 0)


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        (chess.STARTING_FEN, 2 * 39),  # played before White's move 40
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", 2 * 39 - 1),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 40", 0),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 90", 0),
    ],
)
def test_rules_in_plies(fen: str, plies: int) -> None:
    rules = Rules(resign_moves=3, resign_score=600, draw_from=40, draw_moves=5, draw_score=8)
    assert rules.adjudication(chess.Board(fen)) == Adjudication(600, 6, 8, 10, plies + 10)
    assert Rules().adjudication(chess.Board(fen)) == Adjudication()


def test_positions_are_written_from_where_the_game_began() -> None:
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 3 7")
    assert match_game._position_command(board) == "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3 7"
    board.push_uci("e2e4")
    text = "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3 7 moves e2e4"
    assert match_game._position_command(board) == text
    assert match_game._with_move(text, "e8e7") == f"{text} e8e7"
    assert match_game._with_move("position startpos", "e2e4") == "position startpos moves e2e4"


def test_rules_of_a_command_line() -> None:
    words = "x y --resign 4 700 --draw 40 8 9 --max-moves 99 --stall 3 --margin 7"
    rules = match._rules(match.build_parser().parse_args(words.split()))
    assert rules == Rules(4, 700, 40, 8, 9, 99, margin=0.007, movetime_margin=0.007, stall=3)
