"""spsa: the schedule is Spall's, an optimum is found, a run can be broken off. params: its table is read."""

import json
import random
import re
import shutil
from contextlib import suppress
from pathlib import Path

import chess
import pytest
from support.commands import leave
from support.constants import KIWIPETE

from sssnake._fast.search import parameters
from sssnake._fast.search.parameters import TABLE
from sssnake.engine.jobs.executor import LocalExecutor
from sssnake.engine.match.game import TimeControl
from sssnake.engine.player import options
from sssnake.engine.tuning import params as table
from sssnake.engine.tuning import spsa, tune
from sssnake.engine.tuning.spsa import Knob, PairJob, Trial, TrialResult, Tuning

KNOBS = [Knob("a", 100, 0, 300, 20, 0.02), Knob("b", 200, 0, 300, 20, 0.02), Knob("c", 5, 1, 9, 1, 0.02)]
BEST = {"a": 160, "b": 120, "c": 5}


def strength(values: dict[str, int]) -> float:
    """Elo of a made-up engine."""
    return -sum(((values[knob.name] - BEST[knob.name]) / knob.c_end) ** 2 for knob in KNOBS) * 4


def made_up(job: PairJob) -> TrialResult:
    """A pair of games, decided at random by the strengths of both sides."""
    rng = random.Random(job.trial.number)
    edge = strength(job.trial.plus) - strength(job.trial.minus)
    share = 1 / (1 + 10 ** (-edge / 400))
    return TrialResult(sum(rng.random() < share for _ in range(4)))


def run(tuning: Tuning, workers: int = 1, until: int | None = None) -> Tuning:
    """Tune the made-up engine, to the end or until so many pairs are done."""

    def report(now: Tuning) -> None:
        if until is not None and now.done >= until:
            raise InterruptedError

    def new_job(trial: Trial) -> PairJob:
        return PairJob("", trial, None, None, {})  # type: ignore[arg-type]

    with suppress(InterruptedError), LocalExecutor(workers, processes=False) as executor:
        spsa.tune(tuning, executor, made_up, new_job, report)
    return tuning


def test_the_last_pair_has_the_constants_that_were_asked_for() -> None:
    tuning = Tuning(KNOBS, pairs=1000, seed=1)
    for knob in KNOBS:
        assert tuning.perturbation(knob, 1000) == knob.c_end
        assert tuning.rate(knob, 1000) == pytest.approx(knob.r_end)
        assert tuning.perturbation(knob, 1) == pytest.approx(knob.c_end * 1000**0.101)
        before = tuning.rate(knob, 1) * tuning.perturbation(knob, 1) ** 2
        assert before == pytest.approx(knob.r_end * knob.c_end**2 * (1100 / 101) ** 0.602)


def test_rounding_is_right_on_average_and_keeps_to_the_range() -> None:
    tuning = Tuning(KNOBS, pairs=400, seed=1, values=[100.25, 299.0, 5.0])
    trials = [tuning.trial(number) for number in range(1, 401)]
    for side, sign in (("plus", 1), ("minus", -1)):
        steps = [sign * trial.flips[0] * tuning.perturbation(KNOBS[0], trial.number) for trial in trials]
        values = [getattr(trial, side)["a"] for trial in trials]
        off = [value - 100.25 - step for value, step in zip(values, steps, strict=True)]
        assert abs(sum(off)) / len(off) < 0.1
        assert max(map(abs, off)) < 1
    assert all(0 <= trial.plus["b"] <= 300 and 1 <= trial.minus["c"] <= 9 for trial in trials)
    assert len({tuple(trial.flips) for trial in trials}) == 8


def test_a_known_optimum_is_found() -> None:
    found = run(Tuning(KNOBS, pairs=2000, seed=1)).result()
    assert strength(found) > -20 > strength({knob.name: int(knob.start) for knob in KNOBS})
    assert abs(found["a"] - BEST["a"]) <= 25
    assert abs(found["b"] - BEST["b"]) <= 25


def test_a_run_is_the_same_on_any_number_of_workers_and_after_a_break(tmp_path: Path) -> None:
    whole = run(Tuning(KNOBS, pairs=100, seed=3))
    assert run(Tuning(KNOBS, pairs=100, seed=3), workers=3) == whole
    part = run(Tuning(KNOBS, pairs=100, seed=3), until=40)
    assert part.done == 40
    part.save(tmp_path / "state.json")
    assert run(Tuning.load(tmp_path / "state.json")) == whole
    assert run(Tuning(KNOBS, pairs=100, seed=4)).values != whole.values


def test_a_small_run_with_real_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--parameters", "futility_base", "grain", "--games", "12", "--nodes", "200", "--r-end", "0.5"]
    words += ["--state", str(tmp_path / "s.json"), "-o", str(tmp_path / "values"), "--concurrency", "2"]
    assert tune.main(["--method", "spsa", *words]) == 0
    printed = capsys.readouterr().out
    assert table.read_values(tmp_path / "values").keys() == {"futility_base", "grain"}
    assert (tmp_path / "values").read_text(encoding="utf-8") == printed
    state = Tuning.load(tmp_path / "s.json")
    assert (state.done, state.faults) == (6, 0)
    assert state.values[0] != 90
    with pytest.raises(SystemExit) as left:
        leave(tune.main, ["--method", "spsa", *words, "--seed", "2"])
    assert left.value.code == 2
    assert "is the state of a run with other parameters" in capsys.readouterr().err
    broken_off = [*words[:7], "--r-end", "0.5", "--plies", "40", "--state", str(tmp_path / "other.json")]
    assert tune.main(["--method", "spsa", *broken_off]) == 0
    assert Tuning.load(tmp_path / "other.json").values != state.values


BRIEF = ["--method", "spsa", "--parameters", "grain", "--games", "2"]


@pytest.mark.parametrize(
    "changed",
    [
        ["--nodes", "21"],
        ["--nodes", "20", "--plies", "9"],
        ["--nodes", "20", "--plies", "8", "--openings", "book.epd"],
        ["--nodes", "20", "--option", "Hash=2"],
        ["--tc", "9+1"],
    ],
)
def test_a_state_of_games_under_other_conditions_is_refused(
    changed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("book.epd").write_text(f"{chess.Board().epd()}\n", encoding="ascii")
    words = [*BRIEF, "--state", "s.json"]
    assert tune.main([*words, "--nodes", "20", "--plies", "8"]) == 0
    before = Path("s.json").read_bytes()
    assert tune.main([*words, "--nodes", "20", "--plies", "8"]) == 0
    with pytest.raises(SystemExit) as left:
        leave(tune.main, [*words, *changed])
    line = capsys.readouterr().err
    assert left.value.code == 2 and "is the state of a run with other" in line and line.count("\n") == 1
    assert Path("s.json").read_bytes() == before


def test_a_book_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    books = [tmp_path / name for name in ("one.epd", "same.epd", "other.epd")]
    for book, board in zip(books, (chess.Board(), chess.Board(), chess.Board(KIWIPETE)), strict=True):
        book.write_text(f"{board.epd()}\n", encoding="ascii")
    parser = spsa.build_parser()
    words = ["--parameters", "grain", "--openings"]
    one, same, other = (
        spsa.conditions(parser.parse_args([*words, str(book)]), TimeControl(1.0)) for book in books
    )
    assert one == same != other
    assert json.loads(json.dumps(one)) == one


@pytest.mark.parametrize(
    "change",
    [
        {"values": "abc"},
        {"values": None},
        {"values": []},
        {"values": ["4"]},
        {"values": [float("nan")]},
        {"done": "1"},
        {"done": None},
        {"faults": [1]},
        {"knobs": 3},
    ],
)
def test_a_state_with_another_type_in_it_is_none(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    Tuning(KNOBS[:1], pairs=4, seed=1).save(path)
    assert Tuning.load(path).pairs == 4
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    with pytest.raises(ValueError, match="no state of spsa"):
        Tuning.load(path)


@pytest.mark.parametrize(
    "words",
    [
        ["--parameters", "nothing"],
        ["--parameters", "grain", "grain"],
        [],
        ["--parameters", "grain", "--tc", "x"],
        ["--parameters", "grain", "--tc", "1+0.1", "--plies", "40"],
        ["--parameters", "grain", "--nodes", "100", "--plies", "40", "--option", "Hash=1"],
        ["--parameters", "grain", "--openings", "missing.epd"],
    ],
)
def test_bad_arguments_are_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        leave(tune.main, ["--method", "spsa", *words])
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


# -- the table -----------------------------------------------------------------------------------------------


def test_the_table_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert table.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [row.name for row in TABLE]


def test_openbench_reads_our_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    assert table.main(["--openbench"]) == 0
    for line, row in zip(capsys.readouterr().out.splitlines(), TABLE, strict=True):
        name, kind, value, low, high, c_end, r_end = line.split(", ")
        assert (name, kind) == (row.name, "int")
        assert int(low) <= int(value) <= int(high)
        assert float(c_end) > 0 < float(r_end)


# What OpenBench takes (github.com/AndyGrant/OpenBench, commit 9906bad of 27 July 2026): the keys of
# OpenBench/config.py, the books of Config/config.json, the forms of OpenBench/workloads/verify_workload.py.
EITHER = """
    both_branch both_bench both_network both_options both_time_control
    dev_branch dev_bench dev_network dev_options dev_time_control
    book_name upload_pgns priority throughput syzygy_wdl syzygy_adj win_adj draw_adj
"""
AGAINST = EITHER + " base_branch base_bench base_network base_options base_time_control workload_size"
PRESETS = {
    "test_presets": AGAINST + " test_bounds test_confidence test_max_games",
    "tune_presets": EITHER
    + """ spsa_reporting_type spsa_distribution_type spsa_alpha spsa_gamma spsa_A_ratio
          spsa_iterations spsa_pairs_per """,
    "datagen_presets": AGAINST + " datagen_custom_genfens datagen_play_reverses datagen_max_games",
}
BOOKS = """
    2moves_v1.epd 3moves_FRC.epd 4moves_noob.epd 8moves_v3.epd DFRC.epd DFRC_4852_v1.epd Endgames.epd
    Pohl.epd Pohl.pgn UHO_4060_v2.epd UHO_4060_vB.epd UHO_4060_vT.epd UHO_Lichess_4852_v1.epd
    endgames_cdb95105.epd fortresses_150_250.epd
"""
PAIR = r"\[-?\d+\.\d+, -?\d+\.\d+\]"
FORMS = {
    "win_adj": r"None|movecount=\d+ score=\d+",
    "draw_adj": r"None|movenumber=\d+ movecount=\d+ score=\d+",
    "test_bounds": PAIR,
    "test_confidence": PAIR,
    "both_options": r"Threads=[1-9]\d* Hash=[1-9]\d*",
    "both_time_control": r"N=\d+|\d+\.\d+\+\d+\.\d+",
    "book_name": "|".join(map(re.escape, BOOKS.split())),
    "base_branch": "main",
    "workload_size": r"[1-9]\d*",
}
REPOSITORY = "https://github.com/someone/sssnake"


def test_openbench_takes_our_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    assert table.main(["--openbench-engine", REPOSITORY, "--nps", "123"]) == 0
    engine = json.loads(capsys.readouterr().out)
    assert engine.keys() == {"private", "nps", "source", "build", *PRESETS}
    assert (engine["private"], engine["nps"], engine["source"]) == (False, 123, REPOSITORY)
    build = {"path": str, "compilers": list, "cpuflags": list, "systems": list}
    assert {key: type(value) for key, value in engine["build"].items()} == build
    for kind, known in PRESETS.items():
        assert "default" in engine[kind]
        for name, preset in engine[kind].items():
            assert preset.keys() <= set(known.split()), (kind, name)
            for key, value in preset.items():
                unset = kind == "datagen_presets" and (key, value) == ("book_name", "NONE")
                assert unset or re.fullmatch(FORMS[key], str(value)), (kind, name, key)


def test_openbench_has_what_its_forms_ask_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert table.main(["--openbench-engine", REPOSITORY]) == 0
    engine = json.loads(capsys.readouterr().out)
    asked = {"both_options", "both_time_control", "book_name", "win_adj", "draw_adj"}
    against = {"base_branch", "workload_size"}
    needed = {
        "test_presets": asked | against | {"test_bounds", "test_confidence"},
        "tune_presets": asked,
        "datagen_presets": asked | against,
    }
    for kind, keys in needed.items():
        default = engine[kind].pop("default")
        assert engine[kind]
        for name, preset in engine[kind].items():
            assert {**default, **preset}.keys() == keys, (kind, name)


def test_parameters_that_openbench_tunes_are_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = list(options.declarations())
    monkeypatch.setattr(options, "TUNED", ("grain", "lmr_check"))
    declared = set(options.declarations()) - set(usual)
    assert {line.split()[2] for line in declared} == {"grain", "lmr_check"}
    row = next(row for row in TABLE if row.name == "lmr_check")
    form = f"option name lmr_check type spin default {row.default} min {row.minimum} max {row.maximum}"
    assert form in declared


def test_new_values_are_shown_and_adopted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    values, source = tmp_path / "values", tmp_path / "parameters.py"
    values.write_text("lmr_check=111\n\nnull_move_eval = 250\n", encoding="utf-8")
    shutil.copy(table.SOURCE, source)
    monkeypatch.setattr(table, "SOURCE", source)
    assert table.main(["--values", str(values), "--adopt"]) == 0
    assert " 111 " in capsys.readouterr().out
    old = Path(parameters.__file__).read_text(encoding="utf-8").splitlines()
    new = source.read_text(encoding="utf-8").splitlines()
    changed = [line for before, line in zip(old, new, strict=True) if line != before]
    assert [line.split(",")[:2] for line in changed] == [
        ['        ("null_move_eval"', " 250"],
        ['        ("lmr_check"', " 111"],
    ]


@pytest.mark.parametrize("text", ["grain", "grain=x", "grain=0", "nothing=1", "\xe4=1"])
def test_bad_values_are_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "values"
    path.write_text(text, encoding="latin-1")
    for words in (["--values", str(path)], ["--values", str(tmp_path / "missing")], ["--adopt"]):
        with pytest.raises(SystemExit) as left:
            leave(table.main, words)
        assert left.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1
