"""The zip and the wheel for Windows, run by wine."""

import os
import re
import shutil
import signal
import subprocess
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from support.constants import ENGINE, ROOT
from support.packages import Foreign, nodes, one, talk
from support.web import Served

from sssnake.engine.commands.cli import COMMANDS, PARTS

DEPTH = 4
PLACE = "Schach Prögramme é (x86)"  # blanks, accents, brackets
MOST = 15_000_000  # bytes of the zip


@pytest.fixture(scope="session")
def archive(packages: Path) -> Path:
    return one(packages, "*-windows-x64.zip")


@pytest.fixture(scope="session")
def wine(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a wine of its own."""
    if shutil.which("wine") is None:
        pytest.skip("wine is not installed: apt install wine wine64")
    prefix = str(tmp_path_factory.mktemp("wine") / "prefix")
    environment = {"WINEPREFIX": prefix, "WINEDEBUG": "-all", "DISPLAY": "", "LC_ALL": "C.UTF-8"}
    settings = {**os.environ, **environment}
    for command in (
        ["wineboot", "-i"],
        ["wine", "winecfg", "-v", "win10"],
        ["wineserver", "-w"],
        ["wineserver", "-p"],
        ["wine", "cmd", "/c", "ver"],  # starts services, which would keep the pipes of a test open
    ):
        none = subprocess.DEVNULL  # nor must these
        done = subprocess.run(command, env=settings, stdin=none, stdout=none, stderr=none, timeout=300)
        if done.returncode:
            pytest.skip(f"{' '.join(command)} fails here")
    yield environment
    subprocess.run(["wineserver", "-k"], env=settings, capture_output=True, timeout=60)


@pytest.fixture(scope="session")
def program(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """sssnake.exe, unpacked to a place with an unusual name."""
    folder = tmp_path_factory.mktemp("zip") / PLACE
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder)
    [program] = folder.glob("*/sssnake.exe")
    return program


def windows(path: Path) -> str:
    """A path as Windows programs under wine see it."""
    return "Z:" + str(path).replace("/", "\\")


def start(program: Path, wine: dict[str, str]) -> Foreign:
    """A session."""
    engine = Foreign(["wine", str(program)], wine)
    engine.ask("uci", until="uciok")
    return engine


def python(program: Path, wine: dict[str, str], code: str, *words: str) -> str:
    """What a Python program prints in the zip's Python."""
    command = ["wine", str(program.parent / "python" / "python.exe"), "-c", code, *words]
    done = subprocess.run(
        command, env={**os.environ, **wine}, stdin=subprocess.DEVNULL, capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode(errors="replace").replace("\r", "").strip()


def test_the_zip_holds_what_a_user_needs(archive: Path) -> None:
    assert archive.stat().st_size < MOST
    with zipfile.ZipFile(archive) as files:
        names = {name.partition("/")[2] for name in files.namelist()}
        [text] = [files.read(name).decode() for name in files.namelist() if name.endswith("README.txt")]
    assert {
        "sssnake.exe",
        "README.txt",
        "licences/SSSnake.txt",
        "licences/Python.txt",
        "licences/python-chess.txt",
    } < names
    assert {f"licences/{name}.txt" for name in ("starlette", "tqdm", "uvicorn", "websockets")} < names
    assert {
        "python/engine/sssnake/engine/networks/internal.sssn",
        "python/engine/sssnake/openings/book.bin",
    } < names
    assert all(client in text for client in ("Arena", "En Croissant", "Lucas Chess", "cutechess"))
    assert archive.name.split("-")[1] in text and "VERSION" not in text
    modules = {
        path.relative_to(ROOT / "_fast").with_suffix(".pyd").as_posix()
        for path in (ROOT / "_fast").rglob("*.pyx")
    }
    for core, held in (("", modules), ("x86-64-v3/", modules - {"cpu.pyd"})):
        assert {f"python/engine/sssnake/_fast/{core}{module}" for module in held} < names


def test_a_long_path_is_read(program: Path, wine: dict[str, str], tmp_path: Path) -> None:
    """Windows takes paths of more than 260 characters from programs whose manifest says so."""
    assert b">true</longPathAware>" in program.read_bytes()
    folder = tmp_path.joinpath(*["a folder with a long name" * 4] * 4)
    folder.mkdir(parents=True)
    suite = folder / "suite.epd"
    suite.write_text('6k1/5ppp/8/8/8/8/r7/1R4K1 w - - bm Rb8#; id "back rank";\n')
    assert len(str(suite)) > 401
    assert "solved 1/1" in run(program, wine, "epd", windows(suite), "--depth", "3")


def test_the_zip_is_the_same_engine(program: Path, wine: dict[str, str]) -> None:
    ours = nodes(ENGINE, {}, DEPTH, ROOT)
    for core in (".", "x86-64-v3"):
        assert nodes(["wine", str(program)], {**wine, "SSSNAKE_CORE": core}, DEPTH, program.parent) == ours


def test_a_dialogue(program: Path, wine: dict[str, str]) -> None:
    talk(Foreign(["wine", str(program)], wine))


def test_the_level_of_the_processor_is_known(program: Path, wine: dict[str, str]) -> None:
    from sssnake._fast import cpu
    from sssnake._fast.evaluation import nnue

    code = "from sssnake._fast import cpu\nfrom sssnake._fast.evaluation import nnue\n"
    code += "print(cpu.has_v3(), *nnue.instruction_sets())"
    assert python(program, wine, code) == " ".join([str(cpu.has_v3()), *nnue.instruction_sets()])


def test_book_and_tablebases_in_a_folder_with_blanks(
    program: Path, wine: dict[str, str], tmp_path: Path
) -> None:
    from support.tablebases import FOLDER

    place = tmp_path / PLACE
    place.mkdir()
    shutil.copy(ROOT / "openings" / "book.bin", place / "my bök.bin")
    engine = start(program, wine)
    engine.ask(
        "setoption name OwnBook value true",
        f"setoption name BookFile value {windows(place)}\\my bök.bin",
        "isready",
        until="readyok",
    )
    answer = engine.ask("position startpos", "go movetime 20000", until="bestmove")
    assert chess.Move.from_uci(answer[-1].split()[1]) in chess.Board().legal_moves
    assert not [line for line in answer if line.startswith("info depth 5 ")]  # no search
    if FOLDER is not None:
        for name in ("KRvK.rtbw", "KRvK.rtbz"):
            shutil.copy(FOLDER / name, place)
        engine.ask(
            "setoption name OwnBook value false",
            f"setoption name SyzygyPath value Z:\\none;{windows(place)}",
            "isready",
            until="readyok",
        )
        answer = engine.ask("position fen 8/8/8/8/8/4k3/8/R3K3 w - - 0 1", "go depth 4", until="bestmove")
        scored = [line for line in answer if " score " in line][-1]
        assert int(re.findall(r"tbhits (\d+)", scored)[0]) > 0
    assert (engine.end(), engine.errors) == (0, b"")


def test_a_large_file_is_mapped(program: Path, wine: dict[str, str], tmp_path: Path) -> None:
    """As a tablebase file is that is larger than those of three pieces."""
    large = tmp_path / "large ü.bin"
    large.write_bytes(bytes(1 << 20))
    code = "import sys\nfrom sssnake._fast.mapping import Mapping\n"
    code += "mapped = Mapping(sys.argv[1])\nprint(1, flush=True)\n"
    interpreter = str(program.parent / "python" / "python.exe")
    command = ["wine", interpreter, "-c", code + "sys.stdin.read()", windows(large)]
    pipe, none = subprocess.PIPE, subprocess.DEVNULL
    process = subprocess.Popen(command, env={**os.environ, **wine}, stdin=pipe, stdout=pipe, stderr=none)
    assert process.stdin and process.stdout
    process.stdout.readline()
    assert any(str(large) in memory(maps) for maps in Path("/proc").glob("[0-9]*/maps"))
    process.stdin.close()
    assert process.wait(60) == 0


def memory(maps: Path) -> str:
    """What a process has mapped; "" if it has gone."""
    try:
        return maps.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def test_memory_is_known(program: Path, wine: dict[str, str]) -> None:
    engine = start(program, wine)
    heard = engine.ask("setoption name Hash value 33554432", "isready", until="readyok")
    assert any("stay in use" in line for line in heard), heard
    assert engine.end() == 0


def test_a_game_against_the_build_for_linux(program: Path, wine: dict[str, str], tmp_path: Path) -> None:
    ours = " ".join(ENGINE)
    command = [
        *ENGINE,
        "match",
        f"wine '{program}'",
        ours,
        "--games",
        "2",
        "--depth",
        "3",
        "--max-moves",
        "40",
    ]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **wine}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "no faults" in done.stdout


def test_a_match_under_windows(program: Path, wine: dict[str, str], tmp_path: Path) -> None:
    """Paths with backslashes and blanks, worker threads, and a log that is locked while it is written."""
    log = tmp_path / "games.log"
    quoted = f'"{windows(program)}" uci'
    words = [
        "match",
        quoted,
        windows(program),
        "--games",
        "2",
        "--depth",
        "2",
        "--max-moves",
        "20",
        "--log",
        windows(log),
    ]
    done = subprocess.run(
        ["wine", str(program), *words],
        env={**os.environ, **wine},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert b"no faults" in done.stdout and log.stat().st_size > 0


TREE = '''
import subprocess, sys, time
from sssnake.engine.match.child_process import Process
lines = []
child = """
import subprocess, sys, time
print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)']).pid, flush=True)
time.sleep(99)
"""
process = Process([sys.executable, "-c", child], lambda stamp, line: lines.append(line))
while not lines:
    time.sleep(0.05)
process.write(b"x" * 1000, time.monotonic() + 5)
try:
    for _ in range(100):
        process.write(b"x" * 65536, time.monotonic() + 0.2)
except TimeoutError:
    print("does not read")
process.close(0.2)
import ctypes
handle = ctypes.windll.kernel32.OpenProcess(0x100000, 0, int(lines[0]))
print("gone" if not handle or ctypes.windll.kernel32.WaitForSingleObject(handle, 5000) == 0 else "alive")
'''


def test_the_children_of_an_engine_end_with_it(program: Path, wine: dict[str, str]) -> None:
    assert python(program, wine, TREE).split("\n") == ["does not read", "gone"]


def run(program: Path, wine: dict[str, str], *words: str) -> str:
    """What a command of the zip prints."""
    command = ["wine", str(program), *words]
    done = subprocess.run(
        command, env={**os.environ, **wine}, stdin=subprocess.DEVNULL, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode(errors="replace")


def test_an_analysis_is_written(program: Path, wine: dict[str, str], tmp_path: Path) -> None:
    games, out, page = (tmp_path / name for name in ("in.pgn", "out.pgn", "out.html"))
    games.write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    outputs = ["-o", windows(out), "--html", windows(page)]
    assert "Qh4#" in run(program, wine, "analyse", windows(games), "--nodes", "500", *outputs)
    assert "[%eval" in out.read_text() and page.read_text().rstrip().endswith("</html>")


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "--algorithm", "all", "TREE"],
        ["show", "TREE", "-o", "PAGE"],
        ["tree", "--shape", "2x3"],
        ["trace", "TREE"],
    ],
    ids=lambda words: words[0],
)
def test_the_laboratory_runs(program: Path, wine: dict[str, str], words: list[str], tmp_path: Path) -> None:
    (tmp_path / "tree.json").write_text("[[3, 5], [8, 2]]")
    files = {"TREE": windows(tmp_path / "tree.json"), "PAGE": windows(tmp_path / "page.html")}
    said = run(program, wine, "lab", *(files.get(word, word) for word in words))
    assert said.strip() or (tmp_path / "page.html").exists()


# Words that take a moment, by command; what is in capitals is a file.
SHORT = {
    "ablation": "lmr_depth --games 2 --nodes 50 --plies 16",
    "analyse": "startpos --depth 2",
    "bench": "2",
    "book": "build GAMES -o BOOK --nodes 50 --least 1",
    "datagen": "FOLDER --games 1 --nodes 50",
    "demo": "--seed 1",
    "epd": "SUITE --depth 3",
    "evalspeed": "--depth 2",
    "genfens": "2 seed 1 book None",
    "lab": "verify --trees 3",
    "match": "ENGINE --games 2 --depth 1 --max-moves 4",
    "params": "",
    "perft": "2",
    "regret": "SSS*:50 PVS:50 --games LOG --positions 2 --judges-nodes 100",
    "tune": "--method spsa --parameters lmr_depth --games 2 --nodes 50 --plies 4",
}


def test_every_command_that_is_shown_runs(
    program: Path, wine: dict[str, str], shard: Path, tmp_path: Path
) -> None:
    shown = set(re.findall(r"^  ([a-z]+)  ", run(program, wine, "--help"), re.MULTILINE))
    assert shown == {*SHORT, "serve"} == set(COMMANDS) - set(PARTS) | {"serve"}
    (tmp_path / "GAMES").write_text("1. e4 e5 2. Nf3 Nc6 *\n")
    (tmp_path / "SUITE").write_text('6k1/5ppp/8/8/8/8/r7/1R4K1 w - - bm Rb8#; id "back rank";\n')
    shutil.copy(shard, tmp_path / "LOG")
    for name, words in SHORT.items():
        places = {word: windows(tmp_path / word) for word in ("BOOK", "FOLDER", "GAMES", "LOG", "SUITE")}
        places["ENGINE"] = f'"{windows(program)}"'
        assert run(program, wine, name, *(places.get(word, word) for word in words.split())).strip(), name


@pytest.mark.parametrize("name", sorted(set(PARTS) - {"serve"}))
def test_a_command_that_is_not_shown_says_what_it_lacks(
    program: Path, wine: dict[str, str], name: str
) -> None:
    words = {
        "data": ["info", "x"],
        "gauge": ["x", "--positions", "x"],
        "screening": ["lmr_depth=2:4"],
        "train": ["x", "-o", "y"],
    }.get(name, ["x"])
    done = subprocess.run(
        ["wine", str(program), name, *words],
        env={**os.environ, **wine},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2
    advice = "pipx install sssnake's wheel, pipx inject sssnake numpy scipy"
    assert done.stderr.splitlines() == [
        f"sssnake {name}: numpy is missing: the zip cannot have it; with Python: {advice}"
    ]


def test_the_page_is_served(program: Path, wine: dict[str, str]) -> None:
    with Served(engine=["wine", str(program)], environment=wine) as server:
        status, _, page = server.get()
        assert status == 200 and b"<html" in page
        tab = server.tab()
        started, moved, _ = tab.events("play", moves=["e2e4"], level="beginner")
        assert moved["event"] == "move", (started, moved)
        tab.close()


LOCK = """
import subprocess, sys
from pathlib import Path
from sssnake.engine.common.files import InUseError, lock
file = open(sys.argv[1], "ab")
try:
    lock(file)
    print("locked")
except InUseError:
    print("in use")
if len(sys.argv) < 3:
    sys.stdout.flush()
    again = [sys.executable, "-c", sys.stdin_code, sys.argv[1], "again"]
    print(subprocess.run(again, capture_output=True, text=True).stdout)
"""


def test_a_file_is_locked(program: Path, wine: dict[str, str], tmp_path: Path) -> None:
    code = f"import sys; sys.stdin_code = {LOCK!r}\nexec(sys.stdin_code)"
    assert python(program, wine, code, windows(tmp_path / "log")).split("\n") == ["locked", "in use"]


@pytest.mark.parametrize("busy", [False, True])
def test_ctrl_c_ends_the_engine(program: Path, wine: dict[str, str], busy: bool) -> None:
    """What SIGINT is outside, wine hands on as Ctrl-C."""
    engine = start(program, wine)
    if busy:
        engine.ask("go infinite", until="info depth 3")
    engine.process.send_signal(signal.SIGINT)
    engine.process.wait(30)
    assert engine.errors == b""


def test_ctrl_c_is_handed_on(program: Path, wine: dict[str, str]) -> None:
    """Otherwise the test above would show nothing: here Python takes it as its exception."""
    code = "import time\ntry:\n    print(1, flush=True)\n    time.sleep(60)\n"
    code += "except KeyboardInterrupt:\n    print(2)"
    command = ["wine", str(program.parent / "python" / "python.exe"), "-c", code]
    environment = {**os.environ, **wine}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout
    assert process.stdout.readline().strip() == b"1"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0].strip() == b"2"


@pytest.mark.parametrize("busy", [False, True])
def test_the_end_of_input_ends_the_engine(program: Path, wine: dict[str, str], busy: bool) -> None:
    engine = start(program, wine)
    if busy:
        engine.send("go infinite")
        engine.hear("info depth 3")
    before = time.monotonic()
    assert engine.end() == 0
    assert time.monotonic() - before < 20


def test_compiling_from_source_says_what_to_install(
    program: Path, wine: dict[str, str], tmp_path: Path
) -> None:
    shutil.copy(ROOT / "setup.py", tmp_path)
    command = [
        "wine",
        str(program.parent / "python" / "python.exe"),
        windows(tmp_path / "setup.py"),
        "install",
    ]
    done = subprocess.run(
        command, env={**os.environ, **wine}, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "install the wheel" in done.stderr


def test_the_wheel_for_windows(packages: Path, wine: dict[str, str], tmp_path: Path) -> None:
    """In the whole CPython that the zip has a part of, as pip would install it."""
    places = (packages.parent / "work" / "python", ROOT / "build" / "packages" / "python")
    whole = next((place for place in places if place.is_dir()), None)
    if whole is None:
        pytest.skip("CPython for Windows is not beside the packages: make wheels")
    folder = tmp_path / "site"
    with zipfile.ZipFile(one(packages, "*-win_amd64.whl")) as files:
        files.extractall(folder)
    shutil.copytree(Path(chess.__file__).parent, folder / "chess")
    interpreter = tmp_path / "python"
    shutil.copytree(whole, interpreter)
    (interpreter / "DLLs" / "_wmi.pyd").unlink(missing_ok=True)  # it calls what wine 8 lacks
    command = ["wine", str(interpreter / "python.exe"), "-m", "sssnake"]
    environment = {**wine, "PYTHONPATH": windows(folder)}
    assert nodes(command, environment, DEPTH, folder) == nodes(ENGINE, {}, DEPTH, ROOT)
