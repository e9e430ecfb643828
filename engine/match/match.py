"""`sssnake match`: games between UCI engines, with Elo and SPRT.

Command lines that play without faults at 3+0.03 (Debian packages in /usr/games; sunfish from PyPI): stockfish
gnuchess --uci   toga2   glaurung   ethereal-chess   env TM_MANAGER=legacy sunfish-uci At 1+0.01 glaurung and
sunfish sometimes overstep the clock: they read it every 30 to 50 ms. The usual time manager of sunfish
expects 200 ms of lag a move. --option OwnBook=false switches off the books of gnuchess, toga2 and glaurung.
glaurung uses two threads unless --option Threads=1. Options for all go to the engines that have them; options
for one engine must exist.
"""

import contextlib
import json
import shlex
import sys
import uuid
from argparse import SUPPRESS, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import chess

from sssnake.engine.common.arguments import (
    MOST_MS,
    Parser,
    at_most,
    command_words,
    milliseconds,
    natural,
    option_value,
    positive,
)
from sssnake.engine.common.files import check_apart, close_pipes, try_appending
from sssnake.engine.common.messages import one_line, printable, reason
from sssnake.engine.common.progress import Progress
from sssnake.engine.games import gamelog
from sssnake.engine.games.elo import Sprt
from sssnake.engine.games.movetext import ENGLISH, LANGUAGE_HELP, LANGUAGES
from sssnake.engine.games.opening_files import BadOpeningError
from sssnake.engine.games.openings import RANDOM_PLIES, OpeningOptions, Openings, openings
from sssnake.engine.games.outcome import half_points
from sssnake.engine.jobs.executor import ExecutorError, add_executor_arguments, open_executor
from sssnake.engine.jobs.signals import interruptible
from sssnake.engine.match.client import EngineError, UciEngine
from sssnake.engine.match.game import Played, Rules, TimeControl
from sssnake.engine.match.pgn import append_pgn
from sssnake.engine.match.processes import EngineConfig, close_engine_pool, start_engine
from sssnake.engine.match.report import Cost, Report
from sssnake.engine.match.runner import GameJob, Task, game_jobs, pairings, play_game, schedule

LETTERS = "abcdefgh"

EXAMPLES = """\
ENGINE is a quoted command line. One engine alone plays itself (give --option-a, --option-b); more than two
play all against all, or with --gauntlet the first against the others. Another checkout of this engine:
"env -C DIR python -m sssnake". The result is seen from the first engine of each pairing.

  sssnake match sssnake "gnuchess --uci" --tc 3+0.03 --games 200 --concurrency 2 \\
      --openings 8moves_v3.pgn.zip --option Hash=16 --option OwnBook=false --pgn games.pgn
  sssnake match sssnake --option-a "Driver=SSS*" --option-b Driver=PVS --tc 3+0.03 --games 1000 --sprt -5 0
"""


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake match", description=__doc__.split("\n")[0], epilog=EXAMPLES)
    add = parser.add_argument
    add("engines", nargs="+", metavar="ENGINE", help="quoted command line of a UCI engine, 1 to 8 of them")
    add("--games", type=positive, default=100, help="a pairing, rounded up to whole pairs (default 100)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--tc",
        metavar="[MOVES/]SECONDS[+INC]",
        help="clock (default 3+0.03); INC is added before each move, the first too",
    )
    limit.add_argument("--movetime", type=milliseconds, metavar="MS", help="fixed time a move")
    limit.add_argument("--nodes", type=positive, help="fixed nodes a move")
    limit.add_argument("--depth", type=positive, help="fixed depth")
    add_executor_arguments(parser, "games")
    add("--openings", type=Path, metavar="FILE", help="EPD or PGN, also in a .zip; default: random plies")
    add("--skip-bad", action="store_true", help="leave out openings that cannot be played")
    add("--language", choices=LANGUAGES, default=ENGLISH, help=LANGUAGE_HELP)
    add("--plies", type=natural, help=f"cut PGN openings; number of random plies (default {RANDOM_PLIES})")
    add("--ponder", action="store_true", help="engines think on the opponent's time too")
    add("--order", choices=("random", "sequential"), default="random", help="order of the openings")
    add("--seed", type=int, default=0, help="of the order and the random plies (default 0)")
    add("--chess960", action="store_true", help="Fischer random chess")
    add("--gauntlet", action="store_true", help="the first engine against all others")
    add("--option", type=option_value, action="append", default=[], metavar="NAME=VALUE", help="for all")
    for letter in LETTERS:
        shown = letter in "ab"
        add(
            f"--option-{letter}",
            type=option_value,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"for engine {letter} (to h)" if shown else SUPPRESS,
        )
        add(f"--name-{letter}", metavar="NAME", help=f"of engine {letter}" if shown else SUPPRESS)
        add(f"--tc-{letter}", metavar="TC", help="its own clock (to h)" if shown else SUPPRESS)
    add(
        "--resign",
        nargs=2,
        type=natural,
        default=(0, 0),
        metavar=("MOVES", "CP"),
        help="a win if both engines' scores say so, by CP, for MOVES moves",
    )
    add(
        "--draw",
        nargs=3,
        type=natural,
        default=(0, 0, 0),
        metavar=("FROM", "MOVES", "CP"),
        help="a draw if both scores stay within CP for MOVES moves, from move FROM on",
    )
    add(
        "--max-moves",
        type=natural,
        default=0,
        metavar="N",
        help="a draw after N moves of each side, without the opening's",
    )
    add(
        "--sprt",
        nargs="+",
        type=float,
        metavar="ELO0 ELO1",
        help="stop as soon as one is accepted; logistic Elo, of pairs (then ALPHA BETA, default 0.05 0.05)",
    )
    add(
        "--margin",
        type=at_most(MOST_MS, natural),
        metavar="MS",
        help="forgiven beyond the clock (default 10; --movetime 100)",
    )
    add(
        "--stall",
        type=at_most(1_000_000),
        default=60,
        metavar="S",
        help="limit of a move without a clock (default 60)",
    )
    add("--restart", action="store_true", help="new engine processes for each game")
    add("--pgn", type=Path, metavar="FILE", help="append the games")
    add("--log", type=Path, metavar="FILE", help="append the games, four bytes a ply (gamelog.py)")
    add("--json", action="store_true", help="print the result as JSON")
    return parser


def main(argv: list[str]) -> int:
    """Play the match; 2 after an error, 130 if interrupted: then the result so far has been printed."""
    args = build_parser().parse_args(argv)
    with interruptible():
        return _run(args)


def _run(args: Namespace) -> int:
    players, rules = _players(args), _rules(args)
    sprt = _sprt(args.sprt, len(players))
    check_apart((args.log, args.pgn), (args.openings, *_named(players)))
    meetings = pairings(len(players), args.gauntlet)
    pairs = (args.games + 1) // 2
    starts, chess960 = _starts(args, pairs)
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(gamelog.Writer(args.log)) if args.log else None
        if args.pgn:
            stack.callback(close_pipes)
            try_appending(args.pgn)  # an unwritable file shows before the first game, not after it
        _start_once(players, chess960)
        tasks = schedule(meetings, pairs, starts)
        run = uuid.uuid4().hex
        games = game_jobs(run, tasks, players, rules, args.restart)
        executor = stack.enter_context(open_executor(args, "sssnake match"))
        report, cost = Report(players, meetings, sprt), Cost(executor.remote)
        status, trouble, done = 0, "", False
        with Progress(len(meetings) * 2 * pairs, "games", brief=True) as progress:
            if sys.stderr.isatty():
                progress.print(_heading(args, players, pairs), sys.stderr)
            try:
                with contextlib.closing(executor.run(play_game, games)) as played:
                    done = _play(played, report, args.pgn, log, progress)
            except KeyboardInterrupt:
                status = 130
            except (EngineError, OSError, ValueError, ExecutorError) as error:
                status, trouble = 2, reason(error)
            finally:
                executor.call_in_processes(close_engine_pool, run, not done)
    figures = cost.as_json(report)
    if trouble:
        print(f"sssnake match: {one_line(trouble)}", file=sys.stderr, flush=True)
    if status != 2 or report.games:
        found = {**report.as_json(), **figures, "interrupted": status == 130}
        print(json.dumps(found, indent=2) if args.json else report.text())
    if not trouble and report.starved(figures):
        got = figures["processors_per_thinking_engine"]
        print(f"sssnake match: engines got {got:.2f} of a processor while thinking", file=sys.stderr)
    return status


def _play(
    played: Iterator[tuple[GameJob, Played]],
    report: Report,
    pgn: Path | None,
    log: gamelog.Writer | None,
    progress: Progress,
) -> bool:
    """Count all games and return True, or stop when the SPRT is decided and return False."""
    for encounter, game in played:
        task = encounter.task
        tally = report.add(task, game)
        if pgn:
            append_pgn(pgn, task, game, report.players)
        if log is not None and game.fault is None:
            _write_log(log, game)
        if game.fault is not None:
            fault = _fault_line(report.players, task, game)
            progress.print(f"sssnake match: game {task.number + 1}: {fault}", sys.stderr)
        progress.advance(tally.live(report.sprt))
        if report.sprt is not None and report.sprt.verdict(tally.pairs):
            return False
    return True


# -- from arguments to objects ---------------------------------------------------------------------


def _players(args: Namespace) -> list[EngineConfig]:
    commands = args.engines * 2 if len(args.engines) == 1 else args.engines
    if len(commands) > len(LETTERS):
        raise ValueError(f"at most {len(LETTERS)} engines")
    given = vars(args)
    for letter in LETTERS[len(commands) :]:
        if given[f"option_{letter}"] or given[f"name_{letter}"] or given[f"tc_{letter}"]:
            raise ValueError(f"there is no engine {letter}")
    fixed = [f"{kind} {given[kind]}" for kind in ("movetime", "nodes", "depth") if given[kind]]
    common = TimeControl(fixed=fixed[0]) if fixed else TimeControl.parse(args.tc or "3+0.03")
    players = []
    for letter, command in zip(LETTERS, commands, strict=False):
        words = command_words(command)
        own, clock, name = (given[f"{what}_{letter}"] for what in ("option", "tc", "name"))
        control = TimeControl.parse(clock) if clock else common
        players.append(EngineConfig(words, control, dict(own), dict(args.option), name or "", args.ponder))
    return players


def _named(players: Sequence[EngineConfig]) -> Iterator[str | None]:
    """What may be the name of a file that engines read: a program, a network, a book."""
    for player in players:
        yield from (*player.command, *player.options.values(), *player.shared.values())


def _starts(args: Namespace, pairs: int) -> tuple[Iterator[chess.Board], bool]:
    """The openings, all checked, and whether the engines must know Chess960."""
    options = OpeningOptions(
        args.plies, args.seed, args.order == "random", args.chess960, args.skip_bad, args.language
    )
    try:
        starts = openings(args.openings, options, pairs)
    except BadOpeningError as error:
        raise ValueError(f"{error} (--skip-bad leaves it out)") from None
    if not isinstance(starts, Openings):
        return starts, args.chess960
    if remark := starts.remark():
        print(f"sssnake match: {remark}", file=sys.stderr)
    return starts, starts.chess960


def _sprt(values: Sequence[float] | None, players: int) -> Sprt | None:
    if values is None:
        return None
    if len(values) not in (2, 4):
        raise ValueError("--sprt takes ELO0 ELO1, or ELO0 ELO1 ALPHA BETA")
    if players != 2:
        raise ValueError("--sprt is for two engines")
    return Sprt(*values)


def _rules(args: Namespace) -> Rules:
    resign_moves, resign_score = args.resign
    draw_from, draw_moves, draw_score = args.draw
    rules = Rules(
        resign_moves, resign_score, draw_from, draw_moves, draw_score, args.max_moves, stall=args.stall
    )
    if args.margin is None:
        return rules
    return replace(rules, margin=args.margin / 1000, movetime_margin=args.margin / 1000)


def _start_once(players: list[EngineConfig], chess960: bool) -> None:
    """Start every engine once: errors show before the first game, and engines report their names."""
    for player in players:
        engines: list[UciEngine] = []
        try:
            engine, missing = start_engine(player, chess960, engines.append)
            engine.close()
        except BaseException:  # Ctrl-C
            for engine in engines:
                engine.kill()
            raise
        for name in missing:
            print(f"sssnake match: {engine.name} has no option {name!r}", file=sys.stderr)
        own = ", ".join(k if v is None else f"{k}={v}" for k, v in player.options.items())
        player.name = printable(player.name or (f"{engine.name} ({own})" if own else engine.name))
    for player, name in zip(players, told_apart(players), strict=True):
        player.name = name


def told_apart(players: Sequence[EngineConfig]) -> list[str]:
    """Their names; equal ones with what differs in the command, such as a file, else with numbers."""
    names = []
    for player in players:
        namesakes = [other for other in players if other is not player and other.name == player.name]
        other_words = [word for other in namesakes for word in other.command]
        own = [word for word in player.command if word not in other_words]
        name = printable(f"{player.name} ({own[0]})" if own and namesakes else player.name)
        names.append(name)
    counts = [names[: index + 1].count(name) for index, name in enumerate(names)]
    return [f"{name} #{count}" if count > 1 else name for name, count in zip(names, counts, strict=True)]


def _heading(args: Namespace, players: Sequence[EngineConfig], pairs: int) -> str:
    """What is played, and the files that are read and written, in one line."""
    rivals = ", ".join(f"{player.name}: {shlex.join(player.command)}" for player in players)
    files = (("openings", args.openings), ("games to", args.pgn), ("log to", args.log))
    named = [f"{what} {path}" for what, path in files if path]
    text = ", ".join([rivals, f"{2 * pairs} games a pairing at {players[0].control}", *named])
    return printable(f"sssnake match: {text}")


def _fault_line(players: Sequence[EngineConfig], task: Task, game: Played) -> str:
    culprit = players[task.white if game.fault else task.black].name
    detail = f" ({printable(game.detail)})" if game.detail else ""
    return f"{culprit}: {game.reason}{detail} in {game.board.fen()}"


def _write_log(log: gamelog.Writer, game: Played) -> None:
    board = game.start.copy(stack=False)
    plies = []
    for move, _seconds, info in game.plies:
        score = gamelog.white_score(board.turn, info.cp, info.mate)
        plies.append((gamelog.encode_move(board, move), score))
        board.push(move)
    log.write(game.start, half_points(game.result), plies)
