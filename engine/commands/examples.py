"""Examples of every command, shown at the end of its `--help`.

A test parses all of them and runs those without a comment.
"""

# The words after `sssnake` -> command lines. The comment says what is not run by the test, and why.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "": (
        "sssnake demo                                   # a short game of the engine against itself",
        "sssnake match sssnake other --games 20         # games against another engine",
        "sssnake --print-path                           # the file that a chess program asks for",
    ),
    "analyse": (
        "sssnake analyse 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 --depth 10",
        "sssnake analyse game.pgn -o annotated.pgn --html report.html # a minute",
    ),
    "serve": (
        "sssnake serve # until Ctrl-C",
        "sssnake serve --port 8000 --no-browser # until Ctrl-C",
    ),
    "demo": (
        "sssnake demo # half a minute",
        'sssnake demo --opening "Evans Gambit" --seed 1 # half a minute',
    ),
    "bench": (
        "sssnake bench 6",
        "sssnake bench",
        "sssnake bench 10 --driver PVS",
    ),
    "perft": (
        "sssnake perft 4",
        'sssnake perft 3 --fen "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" --divide',
    ),
    "epd": (
        "sssnake epd suite.epd --movetime 1000",
        "sssnake epd suite.epd --nodes 200000 --verbose --option Driver=PVS",
    ),
    "match": (
        "sssnake match sssnake --option-a Driver=PVS --games 4 --tc 0.3+0.01",
        "sssnake match ./new ./old --name-a new --name-b old --games 1000 --tc 3+0.03 --sprt 0 5 # hours",
    ),
    "book": (
        "sssnake book build games.pgn -o book.bin --least 2",
        "sssnake book build openings.tsv games.pgn.zip -o book.bin --nodes 15000 # hours",
    ),
    "datagen": (
        "sssnake datagen games --games 20 --nodes 500",
        "sssnake datagen games --seeds 1 100 --concurrency 4 # days",
    ),
    "data": (
        "sssnake data info games/*.games",
        "sssnake data check games/*.games",
    ),
    "train": (
        "sssnake train docs/training/h32.toml --data games/*.games -o net # minutes",
        "sssnake train docs/training/h32.toml --data games/*.games -o net --resume # minutes",
    ),
    "gauge": (
        "sssnake gauge net.sssn # numpy and scipy",
        "sssnake gauge --judge games/*.games -o judged.epd # hours",
    ),
    "tune": (
        "sssnake tune games/*.games --steps 20",
        "sssnake tune --method spsa --games 20 --nodes 500 --parameters lmr_depth",
        "sssnake tune --method tdleaf learnt.json --games 16 --depth 1",
    ),
    "wdl": (
        "sssnake wdl games/*.games",
        "sssnake wdl games/*.games --adopt # writes into the source",
    ),
    "lab": (
        "sssnake lab verify --trees 50",
        "sssnake lab table --shape 4x4 --trees 10",
        "sssnake lab chess --depth 2",
    ),
    "lab solve": (
        "sssnake lab solve --algorithm sss,mtd+inf plaat",
        "sssnake lab solve --algorithm all --names tree.json",
    ),
    "lab trace": ("sssnake lab trace plaat",),
    "lab show": (
        "sssnake lab show -o tree.html",
        "sssnake lab show tree.json # opens a browser",
    ),
    "lab tree": (
        "sssnake lab tree --list",
        "sssnake lab tree --shape 4x3 --seed 1 -o random.json",
    ),
    "lab lesson": ("sssnake lab lesson exchange",),
    "ablation": (
        "sssnake ablation lmr_depth --games 20 --nodes 500",
        "sssnake ablation # hours",
    ),
    "screening": ("sssnake screening lmr_depth=2:4 see_depth=7:11 --games 20 --nodes 500",),
    "regret": ('sssnake regret "SSS*:500" PVS:500 --games games/*.games --positions 20 --judges-nodes 2000',),
    "params": (
        "sssnake params",
        "sssnake params --openbench",
    ),
    "genfens": (
        "sssnake genfens 8 seed 1 book None",
        "sssnake genfens 8 seed 1 book 8moves_v3.pgn # needs that book",
    ),
    "evalspeed": ("sssnake evalspeed --depth 4",),
}


def text(words: list[str]) -> str:
    """The examples of a command line that asks for help, with a heading; "" if there are none."""
    named = [word for word in words if not word.startswith("-")]
    lines = EXAMPLES.get(" ".join(named[:2])) or EXAMPLES.get("".join(named[:1])) or ()
    return "\n".join(["", "examples:", *(f"  {line}" for line in lines)] if lines else [])
