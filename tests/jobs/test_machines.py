"""Every tool that takes `--scheduler`, on a real one: the results are those of one process."""

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.workers import ENOUGH, Site, needs_dask, wait_for

from sssnake._fast.evaluation import netfile
from sssnake.engine.commands import cli
from sssnake.engine.commands.evalspeed import material_net
from sssnake.engine.common.process import this_engine
from sssnake.engine.games import gamelog
from sssnake.engine.selfplay import datagen
from sssnake.engine.selfplay.datagen import Recipe, make_game, make_shard, shard_path
from sssnake.engine.tuning.tdleaf_games import GradientJob, game_gradient

pytestmark = needs_dask
LOG = Recipe(seed=1, games=4, nodes=60)
LINES = "eco\tname\tpgn\nC50\tItalian Game\t1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5\n"
SUITE = """6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "mate";
rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - bm Nxe5; id "pawn";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a4; id "not that";
"""


def printed(_out: Path, text: str) -> object:
    """What a tool prints."""
    return text


def but_for_time(_out: Path, text: str) -> object:
    """What `epd` prints, but how long it took."""
    found = json.loads(text)
    assert found.pop("seconds") >= 0 and found["solved"] == 2
    return found


def logged(out: Path, _text: str) -> object:
    """The games that `match` wrote, which come in any order."""
    games = [repr(game) for game in gamelog.read_games(out / "log")]
    assert len(games) == 4
    return sorted(games)


def kept(out: Path, text: str) -> object:
    """What a tool prints, and the state that it keeps."""
    return text, (out / "state").read_bytes()


def built(out: Path, _text: str) -> object:
    """A book."""
    return (out / "state").read_bytes()


SPSA = "tune --method spsa --parameters lmr_scale_quiet lmr_base_quiet --nodes 100 --state {out}/state"
# In {inputs} stands what is read, what is written comes into {out}.
COMMANDS: dict[str, tuple[str, Callable[[Path, str], object]]] = {
    "epd": ("epd {inputs}/suite.epd --nodes 2000 --json", but_for_time),
    "match": ("match {engine} --games 4 --nodes 200 --seed 3 --max-moves 30 --log {out}/log", logged),
    "lab table": ("lab table --shape 3x4 --trees 3", printed),
    "lab table --chess": ("lab table --chess --positions 2 --depth 2", printed),
    "spsa": (f"{SPSA} --games 4 --plies 40", kept),
    "spsa by UCI": (f"{SPSA} --games 2 --option Hash=2", kept),
    "tdleaf": ("tune --method tdleaf {out}/state --games 2 --batch 2 --depth 1 --pairs 1 --nodes 20", kept),
    "ablation": ("ablation lmr_depth --games 4 --nodes 100 --plies 40", printed),
    "screening": ("screening lmr_base_quiet=0:2048 --games 12 --nodes 150 --plies 60", printed),
    "regret": ("regret PVS SSS* --games {inputs}/log --positions 8 --nodes 100 --judges-nodes 200", printed),
    "book build": ("book build {inputs}/lines.tsv --nodes 300 --least 1 -o {out}/state", built),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A scheduler and two workers, for all tests here."""
    place = Site(tmp_path_factory.mktemp("site"))
    try:
        for _ in range(2):
            place.worker()
        with place.executor() as executor:
            wait_for(lambda: executor.capacity() == 4)
        yield place
    finally:
        place.close()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of what the tools read."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "suite.epd").write_text(SUITE)
    (folder / "lines.tsv").write_text(LINES)
    make_shard(folder, LOG)
    shard_path(folder, LOG).rename(folder / "log")
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_a_tool_does_there_what_it_does_here(
    name: str,
    site: Site,
    inputs: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handed_out = count_jobs(monkeypatch)
    line, result = COMMANDS[name]
    places, found = {"here": [], "there": ["--scheduler", site.address]}, list[object]()
    for place, words in places.items():
        out = tmp_path / place
        out.mkdir()
        engine = shlex.join(this_engine())
        given = [word.format(inputs=inputs, out=out, engine=engine) for word in line.split()]
        assert cli.main([*given, *words]) == 0
        said = capsys.readouterr()
        assert said.err == "" and bool(handed_out) == (place == "there")
        found.append(result(out, said.out))
    assert found[0] == found[1]


def count_jobs(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The jobs that are handed out to workers from now on."""
    from sssnake.engine.jobs.cluster import DaskExecutor

    jobs, submit = list[object](), DaskExecutor.submit

    def noting(executor: DaskExecutor, function: Callable[[Any], Any], job: Any) -> Any:
        jobs.append(job)
        return submit(executor, function, job)

    monkeypatch.setattr(DaskExecutor, "submit", noting)
    return jobs


def test_workers_do_not_play_with_a_network_that_was_replaced(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "net"
    for hidden in (16, 32):
        netfile.write(path, material_net(hidden, seed=hidden))
        recipe = Recipe(1, 6, 60, eval_file=str(path), sha256=datagen.fingerprint(str(path)))
        words = ["--games", "6", "--nodes", "60", "--eval-file", str(path), "--scheduler", site.address]
        there, here = tmp_path / f"there {hidden}", tmp_path / f"here {hidden}"
        assert datagen.main([str(there), *words]) == 0
        here.mkdir()
        make_shard(here, recipe)
        assert shard_path(there, recipe).read_bytes() == shard_path(here, recipe).read_bytes()


def test_jobs_with_different_parameters_run_side_by_side_in_one_worker(tmp_path: Path) -> None:
    """TDLeaf games, with weights and parameters of their own, beside games with the shipped ones."""
    jobs = [(Recipe(1, 12, 150), number) for number in range(12)]
    tables = np.repeat(np.array([100.0, 300, 300, 500, 900, 0]), 64)[:, None] * [1, 1]
    todo = [GradientJob(tables, seed=1, number=number, depth=2, decay=0.7) for number in range(12)]
    place = Site(tmp_path)
    try:
        place.worker(threads=3)
        with place.executor() as one, place.executor() as other:
            assert one.capacity() == 6
            gradients = [one.submit(game_gradient, job) for job in todo]
            games = [other.submit(make_game, job) for job in jobs]
            assert [game.result(ENOUGH) for game in games] == [make_game(job) for job in jobs]
            for job, found in zip(todo, gradients, strict=True):
                assert np.array_equal(found.result(ENOUGH).gradient, game_gradient(job).gradient)
    finally:
        place.close()


def test_two_searches_with_different_parameters_run_at_the_same_time(tmp_path: Path) -> None:
    def search(value: int, parties: int) -> int:  # a local function: Dask sends its code to the worker
        import threading

        from sssnake._fast.board.board import Board
        from sssnake.engine.player.limits import Limits
        from sssnake.engine.selfplay.players import SearchPlayer, Side

        player = SearchPlayer(Side({"lmr_depth": value}), Limits(depth=7))
        barrier = vars(threading).setdefault("both_are_here", threading.Barrier(parties))
        barrier.wait(60)  # breaks, and fails the test, if the jobs run one after the other
        player.move(Board())
        return player.nodes

    expected = [search(value, parties=1) for value in (0, 2)]
    assert expected[0] != expected[1]
    place = Site(tmp_path)
    try:
        place.worker(threads=2)
        with place.executor() as executor:
            found = [executor.submit(search, value, parties=2) for value in (0, 2)]
            assert [nodes.result(ENOUGH) for nodes in found] == expected
    finally:
        place.close()
