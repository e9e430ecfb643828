"""The command line: UCI without arguments, else a subcommand, imported only when called."""

import sys

from sssnake.engine.common import process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Group -> name -> (module with `main(argv) -> int`, what it does). What is not installed is not shown.
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "play and analyse": {
        "analyse": (
            "sssnake.engine.analysis.analyse",
            "positions and games, with an annotated PGN and a report",
        ),
        "serve": ("sssnake.engine.serve.serve", "a page in your browser: play, analyse, watch SSS* think"),
        "demo": ("sssnake.engine.commands.demo", "a short game of the engine against itself"),
        "book": ("sssnake.engine.commands.book", "build an opening book"),
    },
    "test": {
        "match": ("sssnake.engine.match.match", "games between UCI engines, with Elo and SPRT"),
        "epd": ("sssnake.engine.commands.epd", "solve test positions"),
        "bench": ("sssnake.engine.player.bench", "nodes and speed over a fixed set of positions"),
        "perft": ("sssnake.engine.commands.perft", "count legal move sequences, check perft suites"),
    },
    "train": {
        "datagen": ("sssnake.engine.selfplay.datagen", "training positions from own games"),
        "data": ("sssnake.engine.training.data", "describe and check logged games"),
        "train": ("sssnake.engine.training.train", "an evaluation network from logged games"),
        "gauge": (
            "sssnake.engine.training.gauge",
            "the error of networks on positions judged by long searches",
        ),
        "tune": (
            "sssnake.engine.tuning.tune",
            "learn weights (texel, tdleaf) or parameters (spsa) from games",
        ),
        "wdl": ("sssnake.engine.tuning.wdl_fit", "fit win, draw and loss to scores"),
    },
    "laboratory": {
        "lab": ("sssnake.engine.lab.cli", "SSS*, MTD and other game-tree searches side by side"),
    },
    "for developers": {
        "ablation": ("sssnake.engine.tuning.ablation", "the Elo of each rule of the search"),
        "screening": (
            "sssnake.engine.tuning.screening",
            "which of many parameters matter, from one set of games",
        ),
        "regret": ("sssnake.engine.tuning.regret", "how much worse moves are, judged by far longer searches"),
        "params": ("sssnake.engine.tuning.params", "the list of search parameters"),
        "genfens": ("sssnake.engine.selfplay.genfens", "openings for training games, for OpenBench"),
        "evalspeed": (
            "sssnake.engine.commands.evalspeed",
            "the time of a network evaluation, by instruction set",
        ),
    },
}
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}
OPTIONS = {
    "--help": "this text; sssnake help COMMAND: that of a command",
    "--version": "the version (also -v)",
    "--print-path": "the executable to name in a chess program's engine dialog",
    "--bot-config": "a configuration for lichess-bot, ready but for three lines",
}
HELP = ("-h", "--help", "help")
PARTS = {  # what a command cannot do without
    **dict.fromkeys(("data", "gauge", "screening", "train", "wdl"), "numpy"),
    "serve": "uvicorn",
}


def main(argv: list[str] | None = None) -> int:
    """Entry point of `sssnake`; returns the exit status. Without `argv`: sys.argv; the process is ours."""
    if argv is None:
        process.begin()
    words = sys.argv[1:] if argv is None else argv
    if words and " " in words[0]:
        words = words[0].split()  # OpenBench: sssnake "genfens 8 seed 1 book None" quit
    name = f"sssnake {words[0]}" if words and words[0] in COMMANDS else "sssnake"
    return process.guarded(name, lambda: dispatch(words))


def dispatch(words: list[str]) -> int:
    """UCI, a subcommand, or one of the few options."""
    if not words or words == ["uci"]:
        from sssnake.engine.uci import protocol

        return protocol.main()
    if words[0] in ("-v", "-V", "--version"):
        from sssnake.engine.common import build

        print(build.name())
        return 0
    if words[0] in HELP:
        if len(words) > 1:
            return run(words[1], [*words[2:], "--help"])
        print(usage())
        return 0
    if words[0] == "--print-path":
        return print_path()
    if words[0] == "--bot-config":
        from pathlib import Path

        print((Path(__file__).parent / "lichess-bot.yml").read_text(encoding="utf-8"), end="")
        return 0
    return run(words[0], words[1:])


def available(commands: dict[str, tuple[str, str]] = COMMANDS) -> dict[str, tuple[str, str]]:
    """Those of the subcommands that this installation has, or can be given."""
    from sssnake.engine.common.extras import is_bundle

    bare = {name for name, part in PARTS.items() if not exists(part)} if is_bundle() else set()
    return {name: entry for name, entry in commands.items() if name not in bare and exists(entry[0])}


def exists(module: str) -> bool:
    """Whether a module can be found; it is not imported."""
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its package
        return False


def run(name: str, words: list[str]) -> int:
    """Call a subcommand; 2 if it does not exist, or an optional module is missing."""
    from importlib import import_module

    if name not in COMMANDS or not exists(COMMANDS[name][0]):
        from sssnake.engine.common.suggest import did_you_mean

        advice = did_you_mean(name, [*available(), *OPTIONS])
        print(f"sssnake: no command {name!a}{advice or '; sssnake --help lists them'}", file=sys.stderr)
        return 2
    try:
        command = import_module(COMMANDS[name][0])
        process.ctrl_c(kills=False)
        return called(command.main, name, words)
    except ImportError as error:
        from sssnake.engine.common import extras, messages

        if missing := extras.extra_of(error):
            why = f"{missing} is missing: {extras.how_to_get(missing)}"
        else:
            why = messages.NO_CORE if messages.lacks_core(error) else f"cannot be loaded: {error}"
        print(f"sssnake {name}: {why}", file=sys.stderr)
        return 2


def called(main: "Callable[[list[str]], int]", name: str, words: list[str]) -> int:
    """The exit status of a subcommand; its help is followed by examples."""
    if not {"-h", "--help"} & {*words}:
        return main(words)
    try:
        status = main(words)
    except SystemExit as leaving:  # as argparse ends a help text
        status = leaving.code if isinstance(leaving.code, int) else 2
    if status == 0:
        from sssnake.engine.commands import examples

        print(examples.text([name, *words]))
    return status


def usage() -> str:
    """The text of --help."""
    from sssnake.engine.commands import examples

    lines = ["usage: sssnake [COMMAND ...]", ""]
    lines += ["A chess engine. Without a command it speaks UCI, the language of chess programs."]
    groups = {group: {name: what for name, (_, what) in available(c).items()} for group, c in GROUPS.items()}
    for heading, entries in (*groups.items(), ("options", OPTIONS)):
        lines += ["", f"{heading}:", *(f"  {name:<14}{what}" for name, what in entries.items())]
    lines += ["", "sssnake COMMAND --help shows the options of a command, with examples."]
    return "\n".join([*lines, examples.text([])])


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
