"""Playing below full strength: who is handicapped and how much, and that random choices follow the odds."""

import math
import random
import re
from collections import Counter
from itertools import pairwise
from typing import Unpack

import pytest
from support.constants import KIWIPETE, ROOT
from support.sessions import new_search

from sssnake._fast.board.board import Board
from sssnake.engine.player.engine import Engine, OptionValues
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import Options, find
from sssnake.engine.player.result import Info, Result
from sssnake.engine.player.skill import CALIBRATION, FULL, handicap, level_of


def search(
    fen: str = KIWIPETE, limits: Limits | None = None, **options: Unpack[OptionValues]
) -> tuple[Result, list[Info]]:
    reports: list[Info] = []
    engine = Engine(Options(hash_mb=1), **options)
    return engine.play(Board(fen), limits or Limits(depth=6), reports.append), reports


def test_full_strength_has_no_handicap() -> None:
    assert handicap(Options()) is None
    assert handicap(Options(elo=1200)) is None  # without UCI_LimitStrength it means nothing
    assert handicap(Options(skill_level=3, analyse_mode=True)) is None
    assert handicap(Options(limit_strength=True, elo=1200, analyse_mode=True)) is None
    assert handicap(Options(skill_level=19)) and handicap(Options(limit_strength=True, elo=2500))


def test_every_level_has_more_nodes_and_less_noise_than_the_one_before() -> None:
    players = [handicap(Options(skill_level=level)) for level in range(FULL)]
    for weaker, stronger in pairwise(players):
        assert weaker and stronger
        assert weaker.nodes < stronger.nodes
        assert weaker.temperature > stronger.temperature > 0
        assert weaker.lines >= stronger.lines >= 1


@pytest.mark.parametrize(
    ("level", "nodes", "lines", "temperature"),
    [
        (0, 20, 8, 300.0),
        (4, 101, 7, 153.6),
        (10, 1153, 5, 37.5),
        (15, 8758, 3, 4.6875),
        (19, 44337, 1, 0.0375),
    ],
)
def test_what_a_level_may_use(level: int, nodes: int, lines: int, temperature: float) -> None:
    """The measured Elo of docs/play/strength.md rests on these: other numbers need other measurements."""
    player = handicap(Options(skill_level=level))
    assert player and (player.nodes, player.lines) == (nodes, lines)
    assert player.temperature == pytest.approx(temperature)


def test_the_odds_of_a_worse_move_fall_exponentially() -> None:
    """By e for as many centipawns as the temperature."""
    player, rng = handicap(Options(skill_level=10)), random.Random(7)  # 37.5 centipawns
    assert player
    chosen = Counter(player.choose([100, 62, 25], rng) for _ in range(20_000))
    assert chosen[0] / chosen[1] == pytest.approx(math.exp(38 / 37.5), rel=0.1)
    assert chosen[1] / chosen[2] == pytest.approx(math.exp(37 / 37.5), rel=0.1)


def test_elo_rises_with_the_level_and_covers_the_declared_range() -> None:
    option = find("UCI_Elo")
    assert option
    levels = [level_of(elo) for elo in range(option.low, option.high + 1, 10)]
    assert levels == sorted(levels) and len(set(levels)) == len(levels)
    assert CALIBRATION[0][1] <= option.low and option.high == CALIBRATION[-1][1]
    assert level_of(0) == CALIBRATION[0][0] and level_of(9999) == CALIBRATION[-1][0]
    for level, elo in CALIBRATION:
        assert level_of(elo) == pytest.approx(level)


def test_the_calibration_is_the_table_of_the_document() -> None:
    text = (ROOT / "docs" / "play" / "strength.md").read_text(encoding="utf-8")
    rated = {float(level): int(elo) for level, elo in re.findall(r"\| (\d+) \| (\d+) ± \d+ (?=\|)", text)}
    assert len(rated) > 10 and rated == dict(CALIBRATION)


def test_beyond_the_levels_only_nodes_count() -> None:
    option = find("UCI_Elo")
    assert option
    players = [handicap(Options(limit_strength=True, elo=option.high - less)) for less in (100, 0)]
    weaker, stronger = players
    assert weaker and stronger and level_of(option.high) > FULL
    assert weaker.nodes < stronger.nodes and weaker.lines == stronger.lines == 1
    assert all(stronger.choose([20, 19, -31999], random.Random(seed)) == 0 for seed in range(50))
    assert handicap(Options(skill_level=FULL)) is None


def test_better_moves_are_chosen_more_often_and_mates_do_not_overflow() -> None:
    player = handicap(Options(skill_level=8))
    assert player
    rng = random.Random(1)
    chosen = Counter(player.choose([50, 0, -50, -30000], rng) for _ in range(4000))
    assert chosen[0] > chosen[1] > chosen[2] > chosen[3]
    assert player.choose([31999, -31999], rng) == 0
    strong = handicap(Options(skill_level=19))
    assert strong and all(strong.choose([50, 0], rng) == 0 for _ in range(100))


def test_the_chosen_move_heads_the_last_line_and_depth_never_falls() -> None:
    moves = set()
    for seed in range(1, 30):
        result, reports = search(skill_level=4, skill_seed=seed)
        assert reports[-1].pv[0] == result.move and reports[-1].bound == "" and reports[-1].multipv == 1
        depths = [report.depth for report in reports]
        assert depths == sorted(depths)
        moves.add(str(result.move))
    assert len(moves) > 2


def test_a_seed_repeats_itself() -> None:
    for seed in (1, 2, 3):
        once, again = (search(skill_level=2, skill_seed=seed)[0] for _ in range(2))
        assert (once.pv, once.score, once.nodes) == (again.pv, again.score, again.nodes)
    assert len({search(skill_level=0)[0].move for _ in range(40)}) > 1  # no seed: other choices each time


def test_a_weak_player_stops_at_its_nodes_whatever_the_clock() -> None:
    player = handicap(Options(skill_level=15))
    assert player
    _, reports = search(limits=Limits(wtime=600_000, btime=600_000), skill_level=15, threads=3)
    assert player.nodes / 3 < reports[-1].nodes < 2 * player.nodes


def test_analysis_is_at_full_strength() -> None:
    weak = search(limits=Limits(depth=9), skill_level=0)[1]
    analysis = search(limits=Limits(depth=9), skill_level=0, analyse_mode=True)[1]
    assert weak[-1].depth < 9 == analysis[-1].depth


def test_lines_asked_for_are_shown_to_weak_players_too() -> None:
    _, reports = search(skill_level=5, multipv=2, skill_seed=1)
    assert {report.multipv for report in reports} == {1, 2}


def test_a_hit_before_the_first_line_is_there() -> None:
    """The tightest limits, set by `ponderhit` before the search has begun: there is a move all the same."""
    engine = Engine(hash_mb=1, skill_level=0)
    for clock in (1, 100):
        reports: list[Info] = []
        limits = Limits(wtime=clock, btime=clock, nodes=1, ponder=True)
        search = new_search(engine, Board(KIWIPETE), limits, reports.append)
        search.ponderhit()
        search.run()
        result = search.wait()
        assert reports and reports[-1].pv[0] == result.move
