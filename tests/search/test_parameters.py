"""The search's parameters: their table, what is made of it, and engines that obey their own."""

import threading
from typing import Any

import pytest
from support.constants import KIWIPETE, ROOT

from sssnake._fast.board.board import Board
from sssnake._fast.search.parameters import (
    BY_NAME,
    GROUPS,
    OFF,
    STRUCT,
    TABLE,
    find,
    struct_source,
)
from sssnake._fast.search.params import Parameters
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.tuning import params


def test_every_parameter_has_its_field() -> None:
    assert [row.name for row in TABLE] == Parameters().field_names()
    assert STRUCT.read_text(encoding="utf-8") == struct_source(), (
        "run `python -m sssnake._fast.search.parameters`"
    )


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("page", params.PAGES)
def test_a_document_is_that_of_the_release(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert params.main(["--markdown", page]) == 0
    file = f"docs/develop/{params.PAGES[page]}"
    command = f"sssnake params --markdown {page} > {file}"
    assert (ROOT / file).read_text(encoding="utf-8") == capsys.readouterr().out, command


def test_each_parameter_is_in_one_document() -> None:
    text = "".join(map(params.markdown, params.PAGES))
    assert all(text.count(f"\n## {title}\n") == 1 for title in GROUPS)
    assert all(text.count(f"\n| `{row.name}` |") == 1 for row in TABLE)


def test_defaults_lie_in_their_ranges() -> None:
    values = Parameters()
    assert len(BY_NAME) == len(TABLE), "no name twice"
    for row in TABLE:
        assert row.minimum <= row.default <= row.maximum and row.step > 0 and row.meaning
        assert values[row.name] == row.default
    assert not values.changed()


def test_a_rule_that_is_off_is_off_by_its_own_value() -> None:
    for name, value in OFF.items():
        row = BY_NAME[name]
        assert row.minimum <= value <= row.maximum and value != row.default
    assert Parameters(**OFF).changed() == OFF


@pytest.mark.parametrize("row", TABLE, ids=[row.name for row in TABLE])
def test_each_name_is_its_own_field(row: tuple[str, int, int, int]) -> None:
    """It takes both ends of its range, and nothing beyond; no other parameter changes with it."""
    name, _default, minimum, maximum = row[:4]
    values = Parameters()
    for value in (minimum, maximum):
        values[name] = value
        assert values[name] == value
        assert set(values.changed()) <= {name}
    for value in (minimum - 1, maximum + 1):
        with pytest.raises(ValueError, match=f"{name} must lie in {minimum}..{maximum}, not {value}"):
            values[name] = value
        with pytest.raises(ValueError, match=name):
            Parameters(**{name: value})
    assert values[name] == maximum


@pytest.mark.parametrize("value", [1.5, True, "3", None, 2**31, -(2**70), [2]])
def test_what_is_no_number_of_the_range_is_refused_with_the_range(value: Any) -> None:
    values, row = Parameters(), find("lmr_depth")
    expected = f"lmr_depth must .* {row.minimum}..{row.maximum}, not "
    with pytest.raises(ValueError, match=expected):
        values["lmr_depth"] = value
    with pytest.raises(ValueError, match=expected):
        Engine(parameters={"lmr_depth": value})
    with pytest.raises(ValueError, match=expected):
        Engine().configure(parameters={"lmr_depth": value})
    assert not values.changed()


def test_unknown_names_are_refused() -> None:
    values = Parameters()
    for name in ("no_such", "", "values", "GRAIN"):
        with pytest.raises(KeyError):
            values[name]
        with pytest.raises(KeyError):
            values[name] = 1
        with pytest.raises(KeyError):
            Parameters(**{name: 1})
        with pytest.raises(KeyError):
            find(name)
    assert not values.changed()


def test_what_changed_is_told_and_taken_back() -> None:
    values, other = Parameters(grain=4, lmr_depth=find("lmr_depth").default), Parameters()
    assert values.changed() == {"grain": 4} and not other.changed()
    values["aspiration"] = 20
    assert values.changed() == {"grain": 4, "aspiration": 20}
    values.reset()
    assert not values.changed() and values["grain"] == find("grain").default


def test_every_change_is_another_revision() -> None:
    values = Parameters()
    seen = [values.revision]
    values["grain"] = 4
    seen.append(values.revision)
    values.reset()
    seen.append(values.revision)
    with pytest.raises(ValueError, match="grain"):
        values["grain"] = 0
    assert values.revision == seen[-1]
    assert seen == sorted(set(seen))


# -- engines with parameters of their own ----------------------------------------------------------------

SETTINGS: tuple[dict[str, int], ...] = (
    {},
    {
        "lmr_scale_quiet": 300,
        "null_move_depth": 0,
    },  # one that precomputed reductions depend on, and one that the search reads
    {"grain": 16, "driver_margin": 0},  # the evaluation's and the drivers'
)


def engine_with(values: dict[str, int], threads: int = 1) -> Engine:
    return Engine(hash_mb=2, threads=threads, parameters=Parameters(**values))


def course(engine: Engine, depth: int = 8) -> tuple[object, ...]:
    """Everything that two searches of a game find and do."""
    engine.new_game()
    found: list[object] = []
    for fen in (KIWIPETE, Board().fen()):
        infos: list[object] = []

        def note(info: object, infos: list[object] = infos) -> None:
            infos.append((info.depth, info.score, info.names))  # type: ignore[attr-defined]

        result = engine.play(Board(fen), Limits(depth=depth), note)
        found += [str(result.move), infos[-1], result.nodes, result.passes]
    return tuple(found)


@pytest.fixture(scope="module")
def alone() -> list[tuple[object, ...]]:
    """What each setting does with the process for itself."""
    return [course(engine_with(values)) for values in SETTINGS]


def test_settings_differ(alone: list[tuple[object, ...]]) -> None:
    assert len({str(found) for found in alone}) == len(SETTINGS)


def test_engines_in_turns_search_as_each_does_alone(alone: list[tuple[object, ...]]) -> None:
    engines = [engine_with(values) for values in SETTINGS]
    for _ in range(2):
        assert [course(engine) for engine in engines] == alone


def test_engines_at_the_same_time_search_as_each_does_alone(alone: list[tuple[object, ...]]) -> None:
    """Two of each setting, every one in a thread of its own."""
    settings = [*SETTINGS, *SETTINGS]
    engines = [engine_with(values) for values in settings]
    found: list[tuple[object, ...]] = [()] * len(settings)
    together = threading.Barrier(len(settings))

    def run(number: int) -> None:
        together.wait()
        found[number] = course(engines[number])

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(settings))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [*alone, *alone]


def test_an_engine_obeys_a_change_between_two_searches(alone: list[tuple[object, ...]]) -> None:
    """Whatever it derived from the values before."""
    engine = engine_with({})
    for values, expected in zip((*SETTINGS, {}), (*alone, alone[0]), strict=True):
        engine.parameters.reset()
        for name, value in values.items():
            engine.parameters[name] = value
        assert course(engine) == expected


def test_all_threads_of_a_search_share_its_parameters() -> None:
    engine = engine_with({"grain": 16}, threads=3)
    pool = engine.prepare()
    assert len(pool.workers) == 3
    assert all(worker.parameters is engine.parameters for worker in pool.workers)
