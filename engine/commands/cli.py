"""The command line: UCI without arguments, else a subcommand, imported only when called."""

import sys

from engine.common import process

COMMANDS = {  # name -> (module with `main(argv) -> int`, what it does)
    "bench": ("engine.player.bench", "nodes and speed over a fixed set of positions"),
    "evalspeed": ("engine.commands.evalspeed", "the time of a network evaluation on every instruction set"),
    "perft": ("engine.commands.perft", "count legal move sequences, check perft suites"),
    "epd": ("engine.commands.epd", "solve test positions"),
    "match": ("engine.match.match", "games between UCI engines, with Elo and SPRT"),
    "demo": ("engine.commands.demo", "a short game of the engine against itself"),
    "lab": ("engine.lab.cli", "game-tree search algorithms side by side"),
    "book": ("engine.commands.book", "build the opening book"),
    "datagen": ("engine.selfplay.datagen", "training positions from own games"),
    "data": ("engine.training.data", "describe and check logged games"),
    "train": ("engine.training.train", "an evaluation network from logged games"),
    "tune": ("engine.tuning.tune", "learn weights (texel, tdleaf) or search parameters (spsa) from games"),
    "wdl": ("engine.tuning.wdl_fit", "fit win, draw and loss to scores"),
    "genfens": ("engine.selfplay.genfens", "openings for training games, for OpenBench"),
    "params": ("engine.tuning.params", "the list of search parameters"),
    "ablation": ("engine.tuning.ablation", "the Elo of each rule of the search"),
    "screening": ("engine.tuning.screening", "which of many parameters matter, from one set of games"),
    "regret": ("engine.tuning.regret", "how much worse moves are, judged by far longer searches"),
}
FORMER_NAMES = {"worth": "ablation", "screen": "screening"}  # still understood


def main(argv: list[str] | None = None) -> int:
    """Entry point of `sssnake`; returns the exit status. Without `argv`: sys.argv; the process is ours."""
    if argv is None:
        process.begin()
    words = sys.argv[1:] if argv is None else argv
    if words and " " in words[0]:
        words = words[0].split()  # OpenBench: sssnake "genfens 8 seed 1 book None" quit
    words = [FORMER_NAMES.get(words[0], words[0]), *words[1:]] if words else words
    name = f"sssnake {words[0]}" if words and words[0] in COMMANDS else "sssnake"
    return process.guarded(name, lambda: dispatch(words))


def dispatch(words: list[str]) -> int:
    """UCI, a subcommand, or one of the few options."""
    if not words or words == ["uci"]:
        from engine.uci import protocol

        return protocol.main()
    if words[0] in ("-V", "--version"):
        from engine import __version__

        print(f"SSSnake {__version__}")
        return 0
    if words[0] in ("-h", "--help", "help"):
        print(usage())
        return 0
    if words[0] == "--print-path":
        return print_path()
    return run(words[0], words[1:])


def available() -> dict[str, tuple[str, str]]:
    """The subcommands of this installation."""
    from importlib.util import find_spec

    return {name: entry for name, entry in COMMANDS.items() if find_spec(entry[0])}


def run(name: str, words: list[str]) -> int:
    """Call a subcommand; 2 if it does not exist, or an optional module is missing."""
    from importlib import import_module

    if name not in available():
        known = ", ".join(available())
        print(f"sssnake: no command {name!a}; there are {known} (--help)", file=sys.stderr)
        return 2
    try:
        command = import_module(COMMANDS[name][0])
        process.ctrl_c(kills=False)
        status: int = command.main(words)
        return status
    except ImportError as error:
        from engine.common import extras

        missing = extras.extra_of(error)
        if missing and {"-h", "--help"} & {*words} and extras.stand_in():
            return run(name, words)
        if missing:
            print(f"sssnake {name}: {missing} is missing: {extras.how_to_get(missing)}", file=sys.stderr)
        else:
            print(f"sssnake {name}: cannot be loaded: {error}", file=sys.stderr)
        return 2


def usage() -> str:
    """The text of --help."""
    lines = ["usage: sssnake [COMMAND ...]", "", "Without a command: UCI on stdin and stdout.", ""]
    lines += [f"  {name:<14}{what}" for name, (_, what) in available().items()]
    lines += [
        "",
        "  --version     the version",
        "  --print-path  the executable to name in a GUI's engine dialog",
    ]
    return "\n".join(lines)


def print_path() -> int:
    """Print the absolute path of the executable that GUIs start; 1 when there is none."""
    import os
    import shutil
    from pathlib import Path

    beside = Path(sys.executable).parent  # in the zip for Windows, Python lies a folder below sssnake.exe
    places = (beside / "sssnake", beside / "sssnake.exe", beside.parent / "sssnake.exe")
    for path in (Path(sys.argv[0]), *places, shutil.which("sssnake")):
        if path and Path(path).suffix != ".py" and Path(path).is_file() and os.access(path, os.X_OK):
            print(Path(path).absolute())
            return 0
    print("sssnake: no executable found; install the package (pip install .)", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
