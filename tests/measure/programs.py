"""Installs pinned programs in a folder, and asks them. Used by compatibility.py and round_trip.py.

Libraries come from PyPI and npm into the folder; Debian's programs from its archive, as root, where they are
not yet installed. fastchess and cutechess-cli are asked if they are on the PATH (build v1.8.2-alpha and
v1.5.1 by their own instructions). A request and its answer are as in asked/libraries.py; an answer of None:
this program has nothing of the kind.
"""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.polyglot

ASKED = Path(__file__).parent / "asked"
NEWEST = ("python3.14", "python3.13", "python3.12", "python3")
PYTHON = {
    "python-chess": "chess==1.11.2",
    "esca": "esca==0.4.0",
    "bulletchess": "bulletchess==0.4.0",
    "cozy-chess-py": "cozy-chess-py==0.1.1",
    "pyffish": "pyffish==0.0.90",
}
NODE = {
    "chess.js": "1.4.0",
    "chessops": "0.15.1",
    "kokopu": "4.13.4",
    "cm-chess": "4.0.0",
    "@jackstenglein/chess": "2.2.21",
    "@mliebelt/pgn-reader": "1.2.30",
}
DEBIAN = {
    "pgn-extract": "19.04-1",
    "scid": "1:4.7.4+dfsg1-2",
    "polyglot": "2.0.4+git20210322-1",
    "stockfish": "15.1-4",
    "fairy-stockfish": "11.1-1+b1",
    "gnuchess": "6.2.7-1+deb12u1",
    "toga2": "3.0.0.1SE1-2+b1",
    "glaurung": "2.2-4",
    "ethereal-chess": "12.00+ds1-1",
}
ENGINES = {
    "stockfish": ["stockfish"],
    "fairy-stockfish": ["fairy-stockfish"],
    "gnuchess": ["gnuchess", "--uci"],
    "toga2": ["toga2"],
    "glaurung": ["glaurung"],
    "ethereal-chess": ["ethereal-chess"],
}
RUNNERS = ("fastchess", "cutechess-cli")
GAMES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
Request = dict[str, Any]
Answer = dict[str, Any]


def run(
    words: list[str], text: str = "", seconds: float = 60.0, **more: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; its output as text."""
    env = {**os.environ, "PATH": GAMES}
    return subprocess.run(
        words,
        input=text,
        capture_output=True,
        text=True,
        timeout=seconds,
        env=env,
        check=False,
        errors="replace",
        **more,
    )


class Library:
    """A library of Python or JavaScript, in a process of its own."""

    def __init__(self, name: str, version: str, words: list[str]) -> None:
        self.name, self.version, self.words = name, version, words

    @cached_property
    def process(self) -> subprocess.Popen[str]:
        """The process, started at the first request."""
        return subprocess.Popen(
            self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, request: Request) -> Answer:
        """Send a request; its answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return dict(json.loads(self.process.stdout.readline()))


def as_pgn(request: Request) -> str:
    """Position and moves of a request as a game."""
    board = chess.Board(request["fen"], chess960=request.get("chess960", False))
    for move in request["moves"]:
        board.push_uci(move)
    return f"{chess.pgn.Game.from_board(board)}\n\n"


class PgnProgram:
    """A program that reads games from a file."""

    def __init__(self, name: str, version: str) -> None:
        self.name, self.version = name, version

    def ask(self, request: Request) -> Answer:
        """Answer a request."""
        what = request["ask"]
        if what == "repeated" or (what == "fen" and request.get("chess960")):
            return {"answer": None}
        text = request["pgn"] if what == "read" else as_pgn(request)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "asked.pgn")
            path.write_text(text, encoding="utf-8")
            games, said = self.read(path)
        if not games:
            return {"error": said or "no game"}
        if what == "read":
            return {
                "answer": [
                    {"boards": [fen.split()[0] for fen in game["fens"]], "marks": game["marks"]}
                    for game in games
                ]
            }
        return {"answer": games[-1]["fens"][-1] if what == "fen" else games[-1]["sans"][-1]}

    def read(self, path: Path) -> tuple[list[dict[str, Any]], str]:
        """The games of a file, and what the program said about them."""
        raise NotImplementedError


def sans(moves: str) -> list[str]:
    """The words of a movetext that are moves."""
    bare = re.sub(r"\{[^}]*\}|\([^)]*\)|\$\d+|\d+\.+", " ", moves)
    return [word for word in bare.split() if word not in ("*", "1-0", "0-1", "1/2-1/2")]


class PgnExtract(PgnProgram):
    """pgn-extract, which writes positions into comments."""

    def read(self, path: Path) -> tuple[list[dict[str, Any]], str]:
        """Read its output; a start position is that of the tags."""
        done = run(["pgn-extract", "-w9999", "-V", "--fencomments", str(path)])
        games = []
        for part in re.split(r"\n\n(?=\[Event )", done.stdout):
            head, _, moves = part.partition("\n\n")
            if moves.strip():
                start = re.search(r'\[FEN "([^"]*)"', head)
                fens = re.findall(r"\{[^{}]*?([^ {}]+(?:/[^ ]+){7} [wb] \S+ \S+ \d+ \d+) \}", moves)
                games.append(
                    {
                        "fens": [start[1] if start else chess.STARTING_FEN, *fens],
                        "sans": sans(moves),
                        "marks": moves.count("$"),
                    }
                )
        said = [
            line
            for line in done.stderr.splitlines()
            if line and "matched" not in line and "File " not in line
        ]
        return games, " ".join(said)[:100]


class Scid(PgnProgram):
    """Scid, through its own Tcl interpreter, without a screen."""

    def read(self, path: Path) -> tuple[list[dict[str, Any]], str]:
        """Import the file and walk through its games."""
        done, said = run(["tkscid", str(ASKED / "scid.tcl"), str(path)]), ""
        games: list[dict[str, Any]] = []
        for line in done.stdout.splitlines():
            kind, *cells = line.split("\t")
            if kind == "boards":
                games.append({"fens": cells})
            elif kind == "moves":
                games[-1] |= {"sans": sans(cells[0].rpartition('"]')[2]), "marks": cells[0].count("$")}
            elif kind == "problems":
                said = cells[0].strip()
        return games, said

    def from_book(self, path: Path, fen: str) -> str:
        """The moves that its book window offers."""
        return run(["tkscid", str(ASKED / "scid_book.tcl"), str(path), fen]).stdout.strip()


class Polyglot:
    """polyglot as a maker of books."""

    def __init__(self, name: str, version: str) -> None:
        self.name, self.version = name, version

    def ask(self, _request: Request) -> Answer:
        """It makes books only."""
        return {"answer": None}

    def weights(self, folder: Path) -> dict[str, int]:
        """Weights of the first moves in a book of `games.pgn`."""
        book = folder / "games.bin"
        run(["polyglot", "make-book", "-pgn", str(folder / "games.pgn"), "-bin", str(book), "-min-game", "1"])
        with chess.polyglot.open_reader(book) as reader:
            return {
                entry.move.uci(): entry.weight for entry in reader.find_all(chess.Board(), minimum_weight=0)
            }


class Engine:
    """A UCI engine of Debian."""

    def __init__(self, name: str, version: str, words: list[str]) -> None:
        self.name, self.version, self.words = name, version, words

    def dialogue(self, lines: list[str], seconds: float) -> list[str]:
        """Send lines, wait, quit; all that it said."""
        script = "\n".join(["uci", "isready", *lines])
        feed = f'{{ printf \'%s\\n\' "$0"; sleep {seconds}; echo quit; }} | timeout {seconds + 20} "$@"'
        return run(["sh", "-c", feed, script, *self.words], seconds=seconds + 30).stdout.splitlines()

    def ask(self, request: Request) -> Answer:
        """The position as the engine's `d` shows it, if it has this command."""
        if request["ask"] != "fen":
            return {"answer": None}
        moves = f" moves {' '.join(request['moves'])}" if request["moves"] else ""
        chess960 = ["setoption name UCI_Chess960 value true"] if request.get("chess960") else []
        said = self.dialogue([*chess960, f"position fen {request['fen']}{moves}", "d"], 1.0)
        found = [line.partition(":")[2].strip() for line in said if line.lower().startswith("fen:")]
        return {"answer": found[-1] if found else None}


class Runner:
    """fastchess or cutechess-cli, with two engines that play what they are told."""

    def __init__(self, name: str, version: str, words: list[str]) -> None:
        self.name, self.version, self.words = name, version, words

    def match(
        self,
        folder: Path,
        openings: str,
        moves: list[str],
        ply: int = 0,
        more: str = "",
        games: int = 2,
        theirs: list[str] | None = None,
    ) -> str:
        """Play; the output. Into the folder go `a.log` and `b.log` of the engines, and `games.pgn`.

        theirs: the moves of the second engine, where they are others.
        """
        (folder / "openings.pgn").write_text(openings, encoding="utf-8")
        for name in "ab":  # a program without parameters: fastchess and cutechess take them in two ways
            script = folder / name
            words = [
                sys.executable,
                str(ASKED / "scripted.py"),
                str(folder / f"{name}.log"),
                str(ply),
                *(moves if theirs is None or name == "a" else theirs),
            ]
            script.write_text(f"#!/bin/sh\nexec {' '.join(words)}\n", encoding="utf-8")
            script.chmod(0o755)
        pgn = ["-pgnout", "file=games.pgn"] if self.name == "fastchess" else ["-pgnout", "games.pgn"]
        engines = [
            word for name in "ab" for word in ("-engine", f"cmd={folder / name}", f"name={name}", "proto=uci")
        ]
        words = [
            *self.words,
            *engines,
            "-each",
            "tc=10+1",
            "-openings",
            f"file={folder / 'openings.pgn'}",
            "format=pgn",
            "order=sequential",
            "-rounds",
            str((games + 1) // 2),
            *pgn,
        ]
        words += ["-games", str(min(games, 2)), "-repeat", *more.split()]
        done = run(words, cwd=folder, seconds=120)
        return done.stdout + done.stderr

    def ask(self, request: Request) -> Answer:
        """Openings and repetitions, which it sees as it plays."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if request["ask"] == "read":
                return self.read(folder, request["pgn"])
            if request["ask"] not in ("repeated", "san"):
                return {"answer": None}
            start = as_pgn({**request, "moves": []})
            self.match(folder, start, request["moves"], games=1)
            with (folder / "games.pgn").open(encoding="utf-8") as file:
                text = file.read()
            if request["ask"] == "san":
                return {"answer": sans(text.rpartition('"]')[2])[len(request["moves"]) - 1]}
            game = chess.pgn.read_game(io.StringIO(text))
            assert game is not None
            return {"answer": len(list(game.mainline_moves())) == len(request["moves"])}

    def read(self, folder: Path, pgn: str) -> Answer:
        """The positions of the openings, from the first `position` of each."""
        count = pgn.count("[Result ")
        more = "-variant fischerandom" if '"Chess960"' in pgn else ""
        said = self.match(folder, pgn, [], more=f"{more} -maxmoves 1 -concurrency 1", games=2 * count)
        logs = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("?.log"))]
        positions = [line for log in logs for line in log.splitlines() if line.startswith("position")]
        if not positions:
            return {"error": " ".join(said.split())[:100]}
        return {"positions": positions}


def versions_of_debian() -> dict[str, str]:
    """Install what is missing; the versions that are there."""
    missing = [
        f"{name}={version}" for name, version in DEBIAN.items() if not run(["dpkg", "-s", name]).stdout
    ]
    if missing and os.geteuid() == 0:
        subprocess.run(["apt-get", "-qq", "install", "-y", *missing], check=False, stdout=subprocess.DEVNULL)
    found = {}
    for name in DEBIAN:
        version = re.search(r"^Version: (\S+)$", run(["dpkg", "-s", name]).stdout, re.MULTILINE)
        if version:
            found[name] = version[1]
    return found


def install(folder: Path) -> list[Any]:
    """Everything that can be had, in the order of the tables."""
    folder.mkdir(parents=True, exist_ok=True)
    programs: list[Any] = []
    wanted = map(shutil.which, [os.environ.get("PYTHON_OF_LIBRARIES", ""), *NEWEST])
    python = next(path for path in wanted if path and run([path, "--version"]).returncode == 0)  # or a stub
    if not (folder / "env").exists():
        subprocess.run([python, "-m", "venv", folder / "env"], check=True)
    for name, pin in PYTHON.items():
        pip = [str(folder / "env/bin/pip"), "install", "-q", "--disable-pip-version-check", pin]
        if run(pip, seconds=600).returncode == 0:
            words = [str(folder / "env/bin/python"), str(ASKED / "libraries.py"), name]
            programs.append(Library(name, pin.partition("==")[2], words))
        else:
            print(f"compatibility: {pin} cannot be installed with {python}", file=sys.stderr)
    if not (folder / "node_modules").exists():
        (folder / "package.json").write_text("{}", encoding="utf-8")
        pins = [f"{name}@{version}" for name, version in NODE.items()]
        run(["npm", "install", "--silent", "--no-audit", "--no-fund", *pins], cwd=folder, seconds=600)
    for name, version in NODE.items():
        programs.append(Library(name, version, ["node", str(ASKED / "libraries.mjs"), name, str(folder)]))
    found = versions_of_debian()
    programs += [
        kind(name, found[name])
        for name, kind in (("pgn-extract", PgnExtract), ("scid", Scid), ("polyglot", Polyglot))
        if name in found
    ]
    programs += [Engine(name, found[name], words) for name, words in ENGINES.items() if name in found]
    for name in RUNNERS:
        if (path := shutil.which(name)) is not None:
            said = run([path, "-version"]).stdout.split("\n")[0]
            number = re.search(r"\d+\.\d+\S*", said)
            programs.append(Runner(name, number[0] if number else said, [path]))
    return programs
