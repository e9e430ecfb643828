"""One game between two UCI engines: clocks, rules, adjudication, and faults of engines.

python-chess decides about moves and positions. Repetitions are counted in `engine/games/outcome.py`. Elapsed
time is that of the client: from writing `go` (or `ponderhit`) to reading `bestmove`.
"""

from dataclasses import dataclass, field

import chess

from sssnake.engine.games.adjudication import Adjudication
from sssnake.engine.games.outcome import DRAWN, RESULTS, Repetitions, outcome
from sssnake.engine.match.client import (
    EngineError,
    EngineTimeoutError,
    InfoLine,
    PrematureMoveError,
    Reply,
    UciEngine,
)

FAULTS = ("time", "illegal", "crash", "stall")  # ways to lose without being beaten on the board
GRACE_SECONDS = 2.0  # for `stop` to work after the time is up; then it is a stall
MATE_SCORE = 100_000  # centipawns that stand for a mate in an adjudication


@dataclass(frozen=True)
class TimeControl:
    """The limit of an engine's moves: a clock (seconds), or a fixed `go` such as "nodes 1000"."""

    base: float = 0.0
    increment: float = 0.0
    moves: int = 0  # moves until the base time is added again; 0: never
    fixed: str = ""  # "depth 8", "nodes 1000", "movetime 100"; then there is no clock

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Parse "[MOVES/]SECONDS[+INCREMENT]"; ValueError on any other text.

        As with fastchess and cutechess, and as FIDE defines it, the increment is added before every move, the
        first one too: a clock of "3+2" shows 5 seconds when the game begins.
        """
        moves, _, rest = text.rpartition("/")
        base, _, increment = rest.partition("+")
        try:
            control = cls(float(base), float(increment or 0), int(moves or 0))
        except ValueError:
            control = cls()
        seconds = (control.base, control.increment)
        if not (max(seconds) > 0 and all(0 <= value < 1e6 for value in seconds) and control.moves >= 0):
            raise ValueError(f"time control {text!r}: expected [MOVES/]SECONDS[+INCREMENT]")
        return control

    @property
    def movetime(self) -> float | None:
        """Seconds a move, if the time a move is fixed; else None."""
        return int(self.fixed.split()[1]) / 1000 if self.fixed.startswith("movetime") else None

    @property
    def timed(self) -> bool:
        """Whether the time can run out."""
        return not self.fixed or self.movetime is not None

    @property
    def tag(self) -> str:
        """The TimeControl tag of the PGN standard: MOVES/SECONDS, SECONDS, SECONDS+INCREMENT, or - (none).

        The standard knows no increment with MOVES; here it follows them, as in other programs' games.
        """
        if self.movetime is not None:
            return f"1/{_decimal(self.movetime)}"
        return "-" if self.fixed else str(self).removesuffix("+0")

    def __str__(self) -> str:
        if self.fixed:
            return self.fixed
        return f"{self.moves}/" * bool(self.moves) + f"{_decimal(self.base)}+{_decimal(self.increment)}"


def _decimal(seconds: float) -> str:
    """A number without an exponent, in microseconds at most."""
    return f"{seconds:.6f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Rules:
    """How long games may last, and when they are decided early. Scores in centipawns."""

    resign_moves: int = 0  # one is ahead by resign_score in both scores for so many moves each; 0: play on
    resign_score: int = 0
    draw_from: int = 0  # from this move on, both scores lie within draw_score for draw_moves moves each
    draw_moves: int = 0
    draw_score: int = 0
    max_moves: int = 0  # a draw after so many moves of each side, without the opening's; 0: no limit
    margin: float = 0.01  # seconds a clock may be overstepped
    movetime_margin: float = 0.1  # the same for a fixed time a move, which engines aim at exactly
    stall: float = 60.0  # seconds after which an engine without a clock counts as hung

    def adjudication(self, start: chess.Board) -> Adjudication:
        """These rules in plies from `start` on. For a draw only scores from move `draw_from` on count."""
        before = max(0, 2 * (self.draw_from - start.fullmove_number) - (not start.turn))
        return Adjudication(
            win_score=self.resign_score,
            win_plies=2 * self.resign_moves,
            draw_score=self.draw_score,
            draw_plies=2 * self.draw_moves,
            draw_from=before + 2 * self.draw_moves,
        )


@dataclass
class Played:
    """A finished game. `plies` holds (move, seconds, info) from the end of the opening on."""

    start: chess.Board  # after the opening, its moves on the stack
    board: chess.Board  # the end
    plies: list[tuple[chess.Move, float, InfoLine]] = field(default_factory=list)
    result: str = "*"  # "1-0", "0-1", "1/2-1/2"
    reason: str = ""  # "checkmate", "threefold repetition", ..., or one of FAULTS
    fault: chess.Color | None = None  # the side at fault
    detail: str = ""  # more about the fault
    broken: list[chess.Color] = field(default_factory=list)  # engines to be restarted
    guesses: list[tuple[chess.Color, bool]] = field(default_factory=list)  # (who pondered, ponder hit)


class _Clock:
    """One side's remaining seconds."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left = control.base + control.increment
        self.to_go = control.moves

    def spend(self, seconds: float) -> None:
        """Count a move. Time overstepped within the margin is not subtracted."""
        self.left = max(0.0, self.left - seconds) + self.control.increment
        if self.control.moves:
            self.to_go -= 1
            if not self.to_go:
                self.to_go, self.left = self.control.moves, self.left + self.control.base


class _Referee:
    """Decides when a game is over: by the rules of chess, by its length, by both engines' scores."""

    def __init__(self, start: chess.Board, rules: Rules) -> None:
        self.rules = rules
        self.repetitions = Repetitions()
        self.repetitions.replay(start)
        self.adjudication = rules.adjudication(start)
        self.opening = start.ply()
        self.scores: list[int | None] = []  # White's, one a ply

    def end(self, board: chess.Board) -> tuple[str, str] | None:
        """(result, reason) if the position just reached ends the game."""
        found = outcome(board, self.repetitions.add(board))
        played, longest = board.ply() - self.opening, 2 * self.rules.max_moves
        if found is None and longest and played >= longest:
            return RESULTS[DRAWN], "length"
        return found

    def agreement(self, board: chess.Board, info: InfoLine) -> tuple[str, str] | None:
        """(result, reason) if the scores have decided it; `board` is the position before the scored move."""
        score = info.cp
        if info.mate is not None:
            score = MATE_SCORE if info.mate > 0 else -MATE_SCORE
        self.scores.append(None if score is None else score if board.turn else -score)
        result = self.adjudication.result(self.scores, len(self.scores))
        if result is None:
            return None
        return RESULTS[result], "adjudicated draw" if result == DRAWN else "adjudicated win"


def play(
    engines: tuple[UciEngine, UciEngine],
    controls: tuple[TimeControl, TimeControl],
    start: chess.Board,
    rules: Rules,
) -> Played:
    """Play a game; `engines` and `controls` are (Black's, White's), so that a colour is an index."""
    game = Played(start, start.copy())
    for color in (chess.WHITE, chess.BLACK):
        try:
            engines[color].new_game()
        except EngineError as error:
            fault = "stall" if isinstance(error, EngineTimeoutError) else "crash"
            return _lose(game, color, fault, broken=True)
    seats = (_Seat(engines[0], controls[0]), _Seat(engines[1], controls[1]))
    _play_moves(game, seats, _Referee(start, rules))
    for color in (chess.WHITE, chess.BLACK):
        if seats[color].expected is not None and color not in game.broken:
            try:
                engines[color].stop(GRACE_SECONDS)
            except EngineError:
                game.broken.append(color)
    return game


class _Seat:
    """The engine and the clock of one side, and the move it ponders on."""

    def __init__(self, engine: UciEngine, control: TimeControl) -> None:
        self.engine, self.clock = engine, _Clock(control)
        self.expected: chess.Move | None = None

    def answer(self, position: str, go: str, played: chess.Move | None, allowed: float) -> Reply:
        """The engine's move after the opponent has `played`: by `ponderhit` if it pondered on that move."""
        expected, self.expected = self.expected, None
        if expected is not None and expected == played:
            return self.engine.ponderhit(allowed)
        if expected is not None:
            self.engine.stop(GRACE_SECONDS)
        return self.engine.go(position, go, allowed)

    def ponder(self, position: str, go: str, board: chess.Board, expected: str) -> None:
        """Start pondering after the `expected` move, if that is legal and does not end the game."""
        try:
            move = board.parse_uci(expected)
        except ValueError:
            return
        after = board.copy(stack=False)
        after.push(move)
        if move and any(after.generate_legal_moves()):
            self.engine.ponder(_with_move(position, board.uci(move)), go.replace("go", "go ponder", 1))
            self.expected = move


def _play_moves(game: Played, seats: tuple[_Seat, _Seat], referee: _Referee) -> Played:
    board, position = game.board, _position_command(game.start)
    played: chess.Move | None = None
    while True:
        color = board.turn
        seat, clocks = seats[color], (seats[0].clock, seats[1].clock)
        allowed = _allowed(seat.clock, referee.rules)
        if seat.expected is not None:
            game.guesses.append((color, seat.expected == played))
        try:
            reply = seat.answer(position, _go_command(clocks, color), played, allowed)
        except EngineTimeoutError:
            return _out_of_time(game, seat.engine, seat.clock, allowed)
        except PrematureMoveError as error:
            return _lose(game, color, "illegal", str(error), broken=True)
        except EngineError:
            return _lose(game, color, "crash", broken=True)
        if seat.clock.control.timed and reply.seconds > allowed:
            return _lose(game, color, "time", f"{reply.seconds:.3f} s, allowed {allowed:.3f}")
        seat.clock.spend(reply.seconds)
        try:
            played = board.parse_uci(reply.move)
        except ValueError:
            played = chess.Move.null()
        if not played:
            return _lose(game, color, "illegal", f"bestmove {reply.move[:20]}")
        position = _with_move(position, board.uci(played))
        end = _make(game, referee, played, reply)
        if end is not None:
            game.result, game.reason = end
            return game
        if seat.engine.ponders:
            try:
                seat.ponder(position, _go_command(clocks, color), board, reply.ponder)
            except EngineError:
                return _lose(game, color, "crash", broken=True)


def _make(game: Played, referee: _Referee, move: chess.Move, reply: Reply) -> tuple[str, str] | None:
    agreed = referee.agreement(game.board, reply.info)
    game.board.push(move)
    game.plies.append((move, reply.seconds, reply.info))
    return referee.end(game.board) or agreed


def _allowed(clock: _Clock, rules: Rules) -> float:
    """Seconds after which a move comes too late."""
    if not clock.control.fixed:
        return clock.left + rules.margin
    movetime = clock.control.movetime
    return rules.stall if movetime is None else movetime + rules.movetime_margin


def _go_command(clocks: tuple[_Clock, _Clock], color: chess.Color) -> str:
    mine = clocks[color]
    if mine.control.fixed:
        return f"go {mine.control.fixed}"
    words = ["go"]
    for letter, clock in (("w", clocks[chess.WHITE]), ("b", clocks[chess.BLACK])):
        clock = mine if clock.control.fixed else clock
        words.append(f"{letter}time {max(1, round(1000 * clock.left))}")
        words.append(f"{letter}inc {round(1000 * clock.control.increment)}")
    if mine.to_go:
        words.append(f"movestogo {mine.to_go}")
    return " ".join(words)


def _position_command(board: chess.Board) -> str:
    root = board.root()
    fen = root.fen()
    text = "position startpos" if fen == chess.STARTING_FEN else f"position fen {fen}"
    moves = []
    for move in board.move_stack:
        moves.append(root.uci(move))
        root.push(move)
    return f"{text} moves {' '.join(moves)}" if moves else text


def _with_move(position: str, move: str) -> str:
    """A `position` command with one more move."""
    return f"{position} {move}" if " moves " in position else f"{position} moves {move}"


def _out_of_time(game: Played, engine: UciEngine, clock: _Clock, allowed: float) -> Played:
    """The time is up: an engine that answers to `stop` loses on time, any other one has stalled."""
    color, detail = game.board.turn, f"no move within {allowed:.3f} s"
    try:
        engine.stop(GRACE_SECONDS)
    except EngineTimeoutError:
        return _lose(game, color, "stall", detail, broken=True)
    except EngineError:
        return _lose(game, color, "crash", broken=True)
    if clock.control.timed:
        return _lose(game, color, "time", detail)
    # GNU Chess 6.2.7 and Toga II 3.0 do not know `go nodes`.
    return _lose(game, color, "stall", f"{detail}; it obeys stop, may not know go {clock.control.fixed}")


def _lose(game: Played, color: chess.Color, fault: str, detail: str = "", *, broken: bool = False) -> Played:
    game.result, game.reason = ("0-1" if color else "1-0"), fault
    game.fault, game.detail = color, detail
    if broken:
        game.broken.append(color)
    return game
