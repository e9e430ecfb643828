"""Long checks of the prober of endgame tablebases:

python tests/soak/tablebases.py oracle FOLDER   against chess.syzygy: all positions of three pieces, and
                                                --positions N random ones of each larger table
python tests/soak/tablebases.py damage FOLDER   --files N broken copies of its small tables: nothing may
                                                hang or crash (by `make sanitize` too)
python tests/soak/tablebases.py speed FOLDER    results a second, of random positions and warm files
"""

import argparse
import faulthandler
import random
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import chess.syzygy

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.tablebases import every_position, mismatch, open_tables, random_positions

from sssnake._fast.board.board import Board
from sssnake._fast.board.syzygy import Tables

SMALL = 20_000  # bytes: tables that are broken
HANG = 20  # seconds
POOL = 1000  # positions of a table, of which each broken copy is asked some
SHOWN = 5  # mismatches a table
TIMED, TURNS = 20_000, 15  # positions of a table; turns, of which the fastest counts


def against_oracle(folder: Path, names: list[str], count: int, seed: int) -> int:
    """Compare table by table; the number of mismatches."""
    tables, total = open_tables(folder), 0
    for name in names or sorted((path.stem for path in folder.glob("K*.rtbw")), key=lambda s: (len(s), s)):
        began, seen, wrong, ep = time.monotonic(), 0, 0, 0
        with chess.syzygy.open_tablebase(str(folder), max_fds=None) as oracle:
            boards = every_position(name) if len(name) == 4 else random_positions(name, random.Random(seed))
            for board in boards:
                text = mismatch(tables, oracle, board)
                if not text and len(name) == 4:  # the same with colours exchanged
                    one, two = Board.from_chess(board), Board.from_chess(board.mirror())
                    if (tables.wdl(one), tables.dtz(one)) != (tables.wdl(two), tables.dtz(two)):
                        text = f"{board.fen()}: not the same with colours exchanged"
                seen, wrong, ep = seen + 1, wrong + bool(text), ep + (board.ep_square is not None)
                if text and wrong <= SHOWN:
                    print(text)
                if len(name) > 4 and seen == count:
                    break
        print(
            f"{name}: {seen} positions ({ep} with en passant), {wrong} mismatches,"
            f" {time.monotonic() - began:.0f} s",
            flush=True,
        )
        total += wrong
    return total


# Broken files


def broken(rng: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """A copy with one thing wrong, or several."""
    at = rng.randrange(len(data))
    kind = rng.randrange(12)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return rng.choice(others)
    if kind == 2:
        return data[:5] + rng.randbytes(rng.choice((59, len(data) - 5))) + data[64:]
    if kind == 3:  # whole blocks exchanged or gone: the size stays one that tables have
        at -= at % 64
        return data[: at % len(data)] + data[at + 64 :]
    copy = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 8, 64))):
        if kind < 8:  # in the head, most of it dictionaries
            at = rng.randrange(min(len(copy), rng.choice((16, 64, 512))))
        else:  # behind it: indices, lengths, blocks
            at = rng.randrange(len(copy) // 8, len(copy))
        copy[at] = rng.randrange(256) if kind & 1 else copy[at] ^ 1 << rng.randrange(8)
    return bytes(copy)


def against_damage(folder: Path, count: int, seed: int, probes: int = 60) -> tuple[int, int, int]:
    """Break small tables: how many were refused, found damaged while probed, and not noticed."""
    rng = random.Random(seed)
    files = {path: path.read_bytes() for path in sorted(folder.glob("K*.rtb[wz]"))}
    files = {path: data for path, data in files.items() if len(data) <= SMALL}
    boards: dict[str, list[Board]] = {}
    refused = found = 0
    with tempfile.TemporaryDirectory() as place:
        for number in range(count):
            path = rng.choice(list(files))
            copy = Path(place, path.name)
            copy.write_bytes(broken(rng, files[path], list(files.values())))
            tables = Tables()
            faulthandler.dump_traceback_later(HANG, exit=True)
            try:
                tables.add(str(copy), path.stem, path.suffix == ".rtbz")
            except ValueError:
                refused += 1
            for other in files:  # captures and promotions lead to them
                if other.name != path.name:
                    tables.add(str(other), other.stem, other.suffix == ".rtbz")
            if path.stem not in boards:
                some = islice(random_positions(path.stem, rng), POOL)
                boards[path.stem] = [Board.from_chess(board) for board in some]
            for ours in rng.sample(boards[path.stem], probes):
                wdl, dtz = tables.wdl(ours), tables.dtz(ours)
                assert wdl in (None, -2, -1, 0, 1, 2), (number, wdl)
                assert dtz is None or abs(dtz) < 1 << 18, (number, dtz)
            found += bool(tables.damaged())
            faulthandler.cancel_dump_traceback_later()
    return refused, found, count - refused - found


# Speed


def against_time(folder: Path, names: list[str], seed: int) -> None:
    """Print how many results a second the prober finds, the call from Python included."""
    tables = open_tables(folder)
    for name in names or sorted((path.stem for path in folder.glob("K*.rtbw")), key=lambda s: (len(s), s)):
        found = islice(random_positions(name, random.Random(seed)), TIMED)
        boards = [Board.from_chess(board) for board in found]

        def seconds(boards: list[Board] = boards) -> float:
            began = time.perf_counter()
            for board in boards:
                tables.wdl(board)
            return time.perf_counter() - began

        best = min(seconds() for _ in range(TURNS))
        print(f"{name}: {TIMED / best / 1e6:.2f} million results a second", flush=True)


def main() -> int:
    """The checks."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("check", choices=("oracle", "damage", "speed"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=1_000_000, help="of each larger table")
    parser.add_argument("--tables", nargs="*", default=[], help="names such as KRPvKR (default: all)")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.check == "oracle":
        return min(1, against_oracle(chosen.folder, chosen.tables, chosen.positions, chosen.seed))
    if chosen.check == "speed":
        against_time(chosen.folder, chosen.tables, chosen.seed)
        return 0
    refused, found, unnoticed = against_damage(chosen.folder, chosen.files, chosen.seed)
    print(f"{chosen.files} broken files: {refused} refused, {found} found damaged, {unnoticed} not noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
