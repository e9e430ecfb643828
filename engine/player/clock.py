"""Time management: how long to think, and when another iteration is no longer worth starting.

Two limits come out of a `go`. The soft one is read when an iteration's bracket closes: past it, no new
iteration begins. The hard one is enforced inside the core, wherever the search is. The soft limit counts
from `go`, the hard one from `go` or `ponderhit`. All times are milliseconds; `since`, `start` and the
deadline are seconds of `time.monotonic`, or of whatever clock is handed over (nodestime counts nodes).

The machine may be busier than Move Overhead allows for: `Latency` sees it, and the overhead grows.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sssnake.engine.player.limits import Limits

LEAST_MS = 2.0  # thinking time granted even on an empty clock
HORIZON = 32  # moves a sudden-death clock is shared among
MOST_MOVES = 60  # `movestogo` counts at most this much
CUSHION = 2.0  # overheads that stay on the clock: latency comes in bursts
LATER_OVERHEAD = 1 / 3  # of the overhead: kept back for each later move, so far as increments do not pay it
CUSHION_SHARE = 0.8  # of the clock: the most that is kept back
INCREMENT_SHARE = 0.75  # of the increments to come: spent in advance
HARD_FACTOR = 4.0  # hard limit over soft limit
HARD_SHARE = 0.4  # of the time to spend: the most one move may take
LAST_SHARE = 0.9  # the same for the last move before the next time control
STABLE_FACTOR = 0.8  # the soft limit's factor while the best move stays
CHANGE_FACTOR = 1.0  # added for each recent change of the best move
CHANGE_DECAY = 0.5  # how fast a change is forgotten, per iteration
DROP_FACTOR = 2.0  # added when the score falls by DROP_SPAN or more, less in proportion
DROP_SPAN = 80  # centipawns
EFFORT_FACTOR = 2.0  # when the best move took none of the iteration's nodes: its rivals are hard to refute
EFFORT_SLOPE = 1.5  # taken off that when it took them all
USUAL_EFFORT = 0.8  # share of the nodes that the best move takes
FORCED_FACTOR = 0.05  # when there is one legal move
LATENCY_FADE = 0.9  # what is left of a latency once seen, a move later
LATENCY_MOST = 1000.0  # ms: more than that between two moves is not the machine
LATENCY_SHARE = 0.25  # of the clock: the most that is kept back for it


def allot(remaining: float, increment: float, movestogo: int | None, overhead: float) -> tuple[float, float]:
    """Soft and hard limit of a move; hard is at most remaining - overhead (LEAST_MS where that is less)."""
    increment = max(increment, 0)
    moves = min(movestogo, MOST_MOVES) if movestogo else HORIZON
    left = max(remaining - overhead, LEAST_MS)
    later = max(LATER_OVERHEAD * overhead - increment, 0) * (moves - 1)
    cushion = 0 if moves == 1 else min(CUSHION * overhead + later, CUSHION_SHARE * left)
    spendable = left - cushion
    soft = (spendable + INCREMENT_SHARE * increment * (moves - 1)) / moves
    hard = min(HARD_FACTOR * soft, spendable * (LAST_SHARE if moves == 1 else HARD_SHARE))
    hard = max(hard, LEAST_MS)
    return min(soft, hard), hard


class Clock:
    """The time budget of one search, adapted as its iterations close.

    patience: factor of the soft limit, as the drivers run past it more or less far.
    """

    def __init__(
        self,
        limits: Limits,
        white_to_move: bool,
        overhead_ms: float,
        since: float | None = None,
        now: Callable[[], float] | None = None,
        patience: float = 1.0,
    ):
        self._now = now or time.monotonic  # seconds
        self.since = self._now() if since is None else since  # the request: `go`
        self.start = self.since  # the hard limit counts from here: `go`, or a later `ponderhit`
        self.soft_ms: float | None = None
        self.hard_ms: float | None = None
        self.pondering = limits.ponder
        self._changes = 0.0
        self._last: tuple[object, int] | None = None
        side = None if limits.infinite else limits.clock(white_to_move)
        if side is not None:
            soft, self.hard_ms = allot(*side, limits.movestogo, overhead_ms)
            self.soft_ms = min(patience * soft, self.hard_ms)
        if limits.movetime is not None and not limits.infinite:
            fixed = max(limits.movetime - overhead_ms, LEAST_MS)
            self.hard_ms = fixed if self.hard_ms is None else min(self.hard_ms, fixed)

    @property
    def deadline(self) -> float | None:
        """When the core must stop (seconds); None: no limit, or none yet (pondering)."""
        if self.hard_ms is None or self.pondering:
            return None
        return self.start + self.hard_ms / 1000

    def elapsed_ms(self) -> float:
        """Time since `go`."""
        return (self._now() - self.since) * 1000

    def spent_ms(self) -> float:
        """Time that our clock has run: since `go`, or since `ponderhit`."""
        return (self._now() - self.start) * 1000

    def ponderhit(self) -> bool:
        """The expected move was played: the clock runs from now. True: the budget is spent, move at once."""
        self.start = self._now()
        self.pondering = False  # last: the search looks at both meanwhile
        spent = self.elapsed_ms()
        limit = self.hard_ms if self.soft_ms is None else self.soft_ms
        return limit is not None and spent >= limit

    def another_iteration(
        self, move: object, score: int, legal_moves: int, effort: float = USUAL_EFFORT
    ) -> bool:
        """Call once per closed iteration, with its best move and score: is it worth starting the next one?

        effort: share of the iteration's nodes that were spent on the best move.
        """
        if self.hard_ms is None:
            return True
        last = self.is_last(move, score, legal_moves, effort)
        self._changes, self._last = self._changes_with(move), (move, score)
        return not last

    def is_last(self, move: object, score: int, legal_moves: int, effort: float = USUAL_EFFORT) -> bool:
        """Whether no iteration should follow one that closed now, like this. Remembers nothing."""
        if self.pondering:
            return False
        if self.hard_ms is not None and self.spent_ms() >= self.hard_ms:
            return True
        if self.soft_ms is None:
            return False
        scale = FORCED_FACTOR
        if legal_moves > 1:
            scale = self._instability(move, score) * (EFFORT_FACTOR - EFFORT_SLOPE * effort)
        return self.elapsed_ms() >= self.soft_ms * scale

    def _changes_with(self, move: object) -> float:
        """How restless the best move is, if it is `move` now."""
        return CHANGE_DECAY * self._changes + (self._last is not None and move != self._last[0])

    def _instability(self, move: object, score: int) -> float:
        """The soft limit's factor: more time while the best move changes or its score falls."""
        drop = min(max(self._last[1] - score, 0), DROP_SPAN) if self._last else 0
        changes = self._changes_with(move)
        return (STABLE_FACTOR + CHANGE_FACTOR * changes) * (1 + DROP_FACTOR * drop / DROP_SPAN)


class Latency:
    """Time lost where no search can see it, as the GUI's clock shows from move to move.

    Also counted: the longest time for which a search was held up between two looks at the clock, for the next
    delay of that kind may come when the time is up.
    """

    def __init__(self) -> None:
        self.worst_ms = 0.0
        self._expected: tuple[int, float] | None = None  # ply of our next move, our clock then

    def overhead(self, least_ms: float, remaining_ms: float) -> float:
        """What to keep back for a move: `least_ms`, or more after delays."""
        return max(least_ms, min(self.worst_ms, LATENCY_SHARE * remaining_ms))

    def asked(self, ply: int, remaining_ms: float) -> None:
        """A `go` came, with this time on our clock."""
        self.worst_ms *= LATENCY_FADE
        if self._expected and self._expected[0] == ply:
            self._note(self._expected[1] - remaining_ms)
        self._expected = None

    def answered(self, ply: int, clock_ms: float, longest_gap_ms: float) -> None:
        """The answer goes out; our clock should then show `clock_ms`, the increment included."""
        self._note(longest_gap_ms)
        self._expected = (ply + 2, clock_ms)

    def _note(self, lost_ms: float) -> None:
        if lost_ms <= LATENCY_MOST:
            self.worst_ms = max(self.worst_ms, lost_ms)


@dataclass
class GameClock:
    """What is known of the game's clock from move to move."""

    latency: Latency = field(default_factory=Latency)
    bank_ms: float | None = None  # nodestime: what is left of the game's time, by our own count
