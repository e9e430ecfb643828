"""Figures of the documents are those of the files they name, and of this version where that is quick."""

import csv
import hashlib
import json
import math
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from measure import memory
from support.constants import ENGINE, ROOT
from support.released import is_released, released_signature, signed, summary

import sssnake
from sssnake.engine.games import elo
from sssnake.engine.player.options import DRIVERS, FIELDS

AGAIN = "run `python docs/measurements/present.py` and commit what it writes"
released = pytest.mark.usefixtures("released")
pytestmark = pytest.mark.timeout(900)
LARGEST_WHEEL = 4  # MB
QUICK_DRIVERS = ("SSS*", "DUAL*", "MTD(f)", "MTD(bi)", "PVS")


def document(name: str) -> str:
    """A document in one line."""
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a file of measurements."""
    with (ROOT / "docs" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measured(tmp_path: Path, *words: str) -> list[dict[str, str]]:
    """What `sssnake lab table` finds."""
    command = [*ENGINE, "lab", "table", *words, "--csv", str(tmp_path / "found.csv")]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=600)
    with (tmp_path / "found.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# Of this version


@released
@pytest.mark.parametrize("driver", QUICK_DRIVERS)
def test_nodes_of_the_drivers(driver: str) -> None:
    row = next(row for row in rows("measurements/drivers.csv") if row["driver"] == driver)
    words = [] if driver == DRIVERS[0] else ["--driver", driver]
    kept = (row["passes"], row["fail_highs"], row["first_pass"], row["result"])
    assert summary(row["depth"], *words) == kept, AGAIN


@released
def test_what_the_literal_driver_keeps() -> None:
    found = summary("12", "--driver", "SSS*-literal", "--param", "driver_learning_range=0")
    kept = next(row for row in rows("measurements/drivers.csv") if row["driver"] == "SSS*-literal")
    text = " ".join(document("docs/sss/how-it-plays.md").split())
    assert f"it takes {kept['passes']} passes an iteration, and {found[0]} if every pass updates" in text


@released
def test_what_each_departure_saves() -> None:
    """Nodes and passes without each habit that the default driver has and SSS* has not.

    Between releases without two of them.
    """
    shown = [row for row in rows("measurements/driver_parameters.csv") if row["table"]]
    shown = shown if is_released() else shown[:3]
    runs = [summary(*row["command"].split()[2:]) for row in shown]
    base = int(runs[0][-1])
    assert [(passes, f"{int(nodes) / base:.2f}") for passes, *_, nodes in runs] == [
        (row["passes"], row["result"]) for row in shown
    ], AGAIN


@released
@pytest.mark.parametrize(
    ("name", "words"),
    [("random", ()), ("exact", ("--chess",)), ("full-width", ("--chess", "--mode", "full-width"))],
)
def test_tables_of_the_laboratory(name: str, words: Sequence[str], tmp_path: Path) -> None:
    """On chess positions to depth 3, between releases to depth 2."""
    kept = rows(f"laboratory/{name}.csv")
    if name != "random":
        depth = 3 if is_released() else 2
        words = (*words, "--depth", str(depth))
        kept = [row for row in kept if int(row["depth"]) <= depth]
    assert measured(tmp_path, *words) == kept, AGAIN


def test_what_the_documents_say_of_ordering_and_of_memory(tmp_path: Path) -> None:
    text = document("docs/sss/visited.md")
    few = "--algorithms", "alphabeta,mtd+inf"
    found = measured(tmp_path, "--shape", "8x4", "--order", "0", "0.5", "0.8", "0.95", "1", *few)
    leaves = [float(row["leaves"]) for row in found]
    shares = [round(100 * mtd / plain) for plain, mtd in zip(leaves[::2], leaves[1::2], strict=True)]
    assert f"evaluates {', '.join(map(str, shares[:-1]))} and {shares[-1]} % of alpha-beta's leaves" in text
    found = measured(tmp_path, "--shape", "20x4", "--slots", "64", "1024", "16384", "0", *few[:1], "mtd+inf")
    made = [float(row["evaluations"]) for row in found]
    factors = [evaluations / made[-1] for evaluations in made[:-1]]
    assert [f"{factor:.1f}" for factor in factors] == ["140.9", "3.0", "1.3"]
    assert "64 slots (always replaced) MTD(+∞) makes 141 times as many evaluations" in text
    assert "with 1024 slots three times, with 16384 slots 1.3 times" in text


def test_the_network_is_the_one_that_the_documents_name() -> None:
    digest = hashlib.sha256((ROOT / "engine" / "networks" / "internal.sssn").read_bytes()).hexdigest()
    shipped = re.findall(r"\| \*\*(\d+)\*\* \|.*?\| (\w{12})… \|", document("engine/networks/README.md"))
    assert len(shipped) == 1, "the row of the shipped generation is the one in bold"
    generation, shown = shipped[0]
    assert digest.startswith(shown)
    card = json.loads((ROOT / "engine" / "networks" / "internal.json").read_text(encoding="utf-8"))
    assert card["sha256"] == digest
    assert f"Generation {generation} of the network" in document("docs/log/opponents.md")
    newest = max(
        int(row["player"].split()[1])
        for row in rows("measurements/matches.csv")
        if re.fullmatch(r"generation \d+", row["player"])
    )
    assert newest == int(generation)


def test_the_signature_is_that_of_the_default_driver() -> None:
    first = next(row for row in rows("measurements/drivers.csv") if row["driver"] == "SSS*")
    assert f"| SSS\\* | {int(first['result']):,}".replace(",", " ") in document("docs/sss/results.md")


def test_the_range_of_uci_elo() -> None:
    elo = FIELDS["elo"]
    text = document("docs/play/strength.md")
    assert f"starts with {elo.low}, the lowest" in text and f"{elo.high} is the highest" in text
    assert f"| UCI_Elo | {elo.default} | {elo.low} to {elo.high}" in document("docs/play/options.md")


def test_how_often_a_weak_player_loses_its_queen() -> None:
    tried = [row for row in rows("measurements/levels.csv") if "hanging_queen.py" in row["command"]]
    lost = {row["elo"]: (row["result"], row["games"]) for row in tried}
    said = f"850 lost the queen in {' of '.join(lost['850'])} tries, 1200 in {lost['1200'][0]}"
    assert f"{said}, 1600 in {lost['1600'][0]} " in document("docs/play/strength.md")


def test_packages_have_the_names_and_sizes_that_are_shown() -> None:
    """After `make wheel` or `make wheels`."""
    built = [path for path in (ROOT / "dist").glob("sssnake-*") if path.suffix in (".whl", ".zip", ".gz")]
    if not built:
        pytest.skip("nothing is built: make wheel")
    lines = (ROOT / "docs" / "develop" / "packaging.md").read_text(encoding="utf-8").splitlines()
    rows_ = (re.match(r"\| `(sssnake-\S+)` \| (\d+\.\d) MB \|", line) for line in lines)
    shown = {row[1]: float(row[2]) for row in rows_ if row}
    for path in built:
        [size] = [size for name, size in shown.items() if path.match(name)]
        made = path.stat().st_size / 1e6
        assert abs(made - size) <= 0.05 + 0.03 * size, f"{path.name}: {made:.2f} MB"
        assert path.suffix != ".whl" or made < LARGEST_WHEEL


# Of the files


@pytest.mark.parametrize("name", ["drivers", "driver_parameters"])
def test_figures_are_those_of_the_commit_that_they_name(name: str) -> None:
    """Of the tag of that release, once there is one: the signature in its newest `Bench:` line."""
    shown = [row for row in rows(f"measurements/{name}.csv") if row["table"]]
    named = {row["commit"] for row in shown if {"drivers", "plays", name} & set(row["table"].split())}
    assert len(named) == 1, "measured at one commit"
    assert signed(*named) == released_signature()


def test_what_small_tables_cost_is_what_the_searches_say() -> None:
    searches = memory.read([ROOT / "docs" / "laboratory" / "hash.csv"])
    shown = [
        {name: cell for name, cell in row.items() if name not in ("date", "commit")}
        for row in rows("measurements/memory.csv")
    ]
    assert shown == memory.summary(searches)
    assert {(row.position, row.fen) for row in searches} <= set(enumerate(memory.POSITIONS))
    text = document("docs/sss/results.md")
    found = memory.compared(searches, 10**8)
    assert {len(by) for by in found.values()} == {4} and "four positions" in text
    small = {driver: memory.point(by.values(), 1) for driver, by in found.items()}
    lost = f"overwrites {100 * small['SSS*'].overwritten:.0f} % of what it stores"
    assert lost in text and f"takes {memory.shown(small['SSS*'])} of the nodes" in text
    assert f"MTD(f) takes {memory.shown(small['MTD(f)'])}" in text
    assert f"{memory.shown(small['PVS'])} and {memory.shown(small['SSS*-literal'])}. So" in text


def test_versions_are_those_of_the_changelog() -> None:
    versions = re.findall(r"## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d", document("CHANGELOG.md"))
    assert sssnake.__version__ in versions


def test_what_is_said_of_strength_was_measured() -> None:
    matches = rows("measurements/matches.csv")
    opponents = [row for row in matches if row["table"] == "opponents"]
    assert {row["limit"] for row in opponents} == {"3+0.03"}, "three seconds a game, three hundredths a move"
    assert {row["faults"] for row in opponents} == {"none"}, "without a fault on either side"
    assert len({row["commit"] for row in opponents}) == 1, "the present version"
    found = {row["opponent"]: (float(row["result"]), float(row["error"])) for row in opponents}
    weaker, level = found["Stockfish 11"], found["Stockfish 15.1 without its network"]
    assert weaker[0] > weaker[1] and abs(level[0]) <= level[1]
    said = "stronger than Stockfish 11 and about level with 15.1 without its network"
    assert said in document("docs/log/opponents.md")
    networks = [row for row in matches if row["table"] == "networks"]
    gains = [float(row["result"]) for row in networks if row["player"][-1] in "456"]
    said = "about 130 Elo weaker than generation 6"
    assert 125 <= sum(gains) <= 135 and said in document("docs/log/opponents.md")
    newest = next(row for row in networks if row["player"] == "generation 7")
    assert f"{newest['result']} ± {newest['error']}](network.md" in document("docs/log/opponents.md")


def test_the_elo_of_the_drivers_was_played() -> None:
    games = [row for row in rows("measurements/matches.csv") if row["table"] == "default_games"]
    played = {row["player"]: f"{float(row['result']):+.0f} ± {float(row['error']):.0f}" for row in games}
    shown = [row for row in rows("measurements/drivers.csv") if "plays" in row["table"].split()]
    assert {row["driver"]: row["elo"] for row in shown} == {**played, "SSS*": "0"}


@pytest.mark.parametrize(
    "table, first, games, threads",
    [("declared", 601, 200, "--concurrency 2"), ("declared_two", 921, 112, "--option Threads=2")],
)
def test_the_parts_of_a_declared_match(table: str, first: int, games: int, threads: str) -> None:
    parts = [row for row in rows("measurements/matches.csv") if row["table"] == table]
    assert [row["note"] for row in parts] == [f"seed {first + number}" for number in range(len(parts))]
    for row in parts:
        assert f"--games {games} --{row['note']} {threads} " in row["command"]
        pairs = [int(number) for number in row["pairs"].split("-")]
        found = elo.estimate(pairs)
        assert 2 * sum(pairs) == int(row["won"]) + int(row["drawn"]) + int(row["lost"]) == games
        assert f"{found.elo:+.1f} ± {found.error:.1f}" == f"{row['result']} ± {row['error']}"
        assert row["faults"] == "none"


@pytest.mark.parametrize("table, count", [("declared", 20), ("declared_two", 9)])
def test_a_declared_match_is_the_sum_of_its_parts(table: str, count: int) -> None:
    parts = [row for row in rows("measurements/matches.csv") if row["table"] == table]
    pairs = [[int(number) for number in row["pairs"].split("-")] for row in parts]
    won, drawn, lost = (sum(int(row[key]) for row in parts) for key in ("won", "drawn", "lost"))
    found = elo.estimate([sum(counts) for counts in zip(*pairs, strict=True)])
    result = f"{won} won, {drawn} drawn, {lost} lost, {found.elo:+.1f} ± {found.error:.1f}, no faults"
    assert len(parts) == count and result in document("docs/log/declared.md")


def test_what_a_second_thread_brings_at_the_same_depth() -> None:
    matches = [row for row in rows("measurements/matches.csv") if row["table"] == "threads_depth"]
    found = [elo.estimate([int(number) for number in row["pairs"].split("-")]) for row in matches]
    for row, match in zip(matches, found, strict=True):
        assert f"{match.elo:+.1f} ± {match.error:.1f}" == f"{row['result']} ± {row['error']}"
    more, error = found[1].elo - found[0].elo, math.hypot(found[0].error, found[1].error)
    assert f"is {more:.0f} ± {error:.0f} Elo" in document("docs/log/threads.md")


def test_one_bracket_for_all_threads_was_behind() -> None:
    matches = [row for row in rows("measurements/matches.csv") if row["player"] == "two threads, one bracket"]
    match = max(matches, key=lambda row: int(row["games"]))
    found = elo.estimate([int(number) for number in match["pairs"].split("-")])
    result = f"{found.elo:+.1f} ± {found.error:.1f}"
    assert result == f"{match['result']} ± {match['error']}"
    assert int(match["games"]) >= 1000 and match["faults"] == "none"
    assert found.elo + found.error < 0
    assert result in document("docs/log/threads.md")


def test_what_is_said_of_sequential_tests() -> None:
    """About 8000 games for 5 Elo: Wald's expectation, with the variance of a match's pairs."""
    level = next(row for row in rows("measurements/matches.csv") if "pvs" in row["table"].split())
    counts = [int(number) for number in level["pairs"].split("-")]
    mean = sum(n * k / 4 for k, n in enumerate(counts)) / sum(counts)
    variance = sum(n * (k / 4 - mean) ** 2 for k, n in enumerate(counts)) / sum(counts)
    gain = 1 / (1 + 10 ** (-5 / 400)) - 0.5
    pairs = 0.9 * 2.944 / (gain**2 / (2 * variance))
    assert 7500 <= 2 * pairs <= 8500
    assert "about 8000 games decide" in document("docs/develop/contributing.md")
