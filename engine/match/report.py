"""The result of a match: tallies, the result line, JSON."""

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from sssnake.engine.games.elo import Estimate, Sprt, estimate
from sssnake.engine.games.outcome import half_points
from sssnake.engine.match.client import InfoLine
from sssnake.engine.match.game import FAULTS, Played
from sssnake.engine.match.processes import EngineConfig
from sssnake.engine.match.runner import Task


@dataclass
class Tally:
    """The games between two players, from the first one's view."""

    a: str
    b: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    faults: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    reasons: Counter[str] = field(default_factory=Counter)
    _open: dict[int, int] = field(default_factory=dict)  # half points of pairs with one game played

    def add(self, task: Task, game: Played) -> None:
        """Count a game."""
        points = half_points(game.result)
        points = points if task.white == task.a else 2 - points
        self.wins += points == 2
        self.draws += points == 1
        self.losses += points == 0
        self.reasons[game.reason] += 1
        if game.fault is not None:
            culprit = task.white if game.fault else task.black
            self.faults[culprit != task.a][game.reason] += 1
        first = self._open.pop(task.pair, None)
        if first is None:
            self._open[task.pair] = points
        else:
            self.pairs[first + points] += 1

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points of the first player."""
        return self.wins + self.draws / 2

    def estimate(self) -> Estimate:
        """Elo of the first against the second, from complete pairs, or from games if there is none."""
        return estimate(self.pairs if sum(self.pairs) else (self.losses, self.draws, self.wins))

    def line(self, sprt: Sprt | None = None) -> str:
        """The result in one line."""
        share = 100 * self.points / self.games if self.games else 0.0
        parts = [
            f"{self.a} - {self.b}: {self.games} games +{self.wins} ={self.draws} -{self.losses}",
            f"{self.points:g}/{self.games} ({share:.1f} %)",
            f"pairs {'-'.join(map(str, self.pairs))}",
            str(self.estimate()),
        ]
        if sprt is not None:
            parts.append(sprt.describe(self.pairs))
        return ", ".join([*parts, self._fault_text()])

    def live(self, sprt: Sprt | None = None) -> str:
        """The result so far for a terminal's bar, what matters most first: it may be cut."""
        found = self.estimate()
        error = f" ± {found.error:.1f}" if math.isfinite(found.error) else ""
        parts = [f"Elo {found.elo:+.1f}{error}"] if math.isfinite(found.elo) else []
        if sprt is not None:
            parts.append("LLR {:.2f} ({:.2f}, {:.2f})".format(sprt.llr(self.pairs), *sprt.bounds))
        return ", ".join([*parts, f"+{self.wins} ={self.draws} -{self.losses}", self._fault_text()])

    def _fault_text(self) -> str:
        found = [
            f"{name} {' '.join(f'{count[fault]} {fault}' for fault in FAULTS if count[fault])}"
            for name, count in zip((self.a, self.b), self.faults, strict=True)
            if count.total()
        ]
        return f"faults: {'; '.join(found)}" if found else "no faults"

    def as_json(self, sprt: Sprt | None = None) -> dict[str, Any]:
        """The result as plain data."""
        found: dict[str, Any] = {
            "a": self.a,
            "b": self.b,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "pentanomial": self.pairs,
            **{key: _finite(value) for key, value in asdict(self.estimate()).items()},
            "faults": [{fault: count[fault] for fault in FAULTS} for count in self.faults],
            "reasons": dict(self.reasons),
        }
        if sprt is not None:
            lower, upper = sprt.bounds
            found["sprt"] = {
                **asdict(sprt),
                "lower": lower,
                "upper": upper,
                "llr": sprt.llr(self.pairs),
                "verdict": sprt.verdict(self.pairs),
            }
        return found


@dataclass
class Effort:
    """Time, depth and nodes that a player used for its moves."""

    moves: int = 0
    seconds: float = 0.0
    depth: int = 0
    nodes: int = 0
    guesses: int = 0  # how often it pondered
    hits: int = 0  # ponder hits

    def add(self, seconds: float, info: InfoLine) -> None:
        """Count a move."""
        self.moves += 1
        self.seconds += seconds
        self.depth += info.depth or 0
        self.nodes += info.nodes or 0

    def as_json(self) -> dict[str, float]:
        """Means a move, nodes a second of own time (too large with pondering), ponder hits."""
        moves, seconds = max(1, self.moves), max(1e-9, self.seconds)
        found = {
            "moves": self.moves,
            "mean_ms": round(1000 * self.seconds / moves, 2),
            "mean_depth": round(self.depth / moves, 2),
            "nps": round(self.nodes / seconds),
        }
        return {**found, "pondered": self.guesses, "ponder_hits": self.hits} if self.guesses else found


class Cost:
    """The cost of a match: wall time, processor time of the runner and of local engines (POSIX only)."""

    def __init__(self, remote: bool = False) -> None:
        self._wall, self._own = time.monotonic(), time.process_time()
        self._engines = None if remote else _children_seconds()

    def as_json(self, report: "Report") -> dict[str, float]:
        """The cost so far; every engine must have ended."""
        moves = sum(effort.moves for effort in report.efforts)
        thinking = sum(effort.seconds for effort in report.efforts)
        found = {
            "seconds": round(time.monotonic() - self._wall, 1),
            "runner_cpu_ms_per_move": round(1000 * (time.process_time() - self._own) / max(1, moves), 3),
        }
        engines = _children_seconds()
        if engines is not None and self._engines is not None and thinking:
            found["processors_per_thinking_engine"] = round((engines - self._engines) / thinking, 3)
        return found


class Report:
    """All tallies of a match."""

    def __init__(
        self, players: Sequence[EngineConfig], meetings: Sequence[tuple[int, int]], sprt: Sprt | None = None
    ) -> None:
        self.players, self.sprt = players, sprt
        self.tallies = {(a, b): Tally(players[a].name, players[b].name) for a, b in meetings}
        self.efforts = [Effort() for _ in players]

    def add(self, task: Task, game: Played) -> Tally:
        """Count a game; the tally of its pairing."""
        tally = self.tallies[task.a, task.b]
        tally.add(task, game)
        color = game.start.turn
        for _move, seconds, info in game.plies:
            self.efforts[task.white if color else task.black].add(seconds, info)
            color = not color
        for color, hit in game.guesses:
            effort = self.efforts[task.white if color else task.black]
            effort.guesses += 1
            effort.hits += hit
        return tally

    @property
    def games(self) -> int:
        """Games played by all."""
        return sum(tally.games for tally in self.tallies.values())

    def starved(self, figures: dict[str, float]) -> bool:
        """Whether a match on a clock ran on a machine that was too busy."""
        timed = all(player.control.timed for player in self.players)
        thinking = sum(effort.seconds for effort in self.efforts)
        return timed and thinking > 10 and figures.get("processors_per_thinking_engine", 1.0) < 0.8

    def text(self) -> str:
        """A line for each pairing, and a ranking if there are several."""
        lines = [tally.line(self.sprt) for tally in self.tallies.values()]
        lines += [
            f"{player.name} guessed {effort.hits} of {effort.guesses} replies that it pondered on"
            for player, effort in zip(self.players, self.efforts, strict=True)
            if effort.guesses
        ]
        if len(self.tallies) > 1:
            scores = [(0.0, 0) for _ in self.players]
            for (a, b), tally in self.tallies.items():
                scores[a] = (scores[a][0] + tally.points, scores[a][1] + tally.games)
                scores[b] = (scores[b][0] + tally.games - tally.points, scores[b][1] + tally.games)
            width = max(len(player.name) for player in self.players)
            ranking = sorted(zip(scores, self.players, strict=True), key=lambda x: -x[0][0] / max(1, x[0][1]))
            lines += [
                f"{player.name:{width}}  {points:g}/{games} ({100 * points / max(1, games):.1f} %)"
                for (points, games), player in ranking
            ]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """Players and pairings as plain data."""
        players = [
            {
                "name": player.name,
                "command": player.command,
                "options": {**player.shared, **player.options},
                "limit": str(player.control),
                **effort.as_json(),
            }
            for player, effort in zip(self.players, self.efforts, strict=True)
        ]
        return {"players": players, "pairings": [tally.as_json(self.sprt) for tally in self.tallies.values()]}


def _children_seconds() -> float | None:
    """Processor time of child processes that have ended; None if the system does not measure it."""
    if resource is None:
        return None
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
