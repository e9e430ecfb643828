"""What a GUI may set: one table of UCI options and the typed values behind it. Few imports (start-up)."""

from sssnake.engine.common.suggest import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Unpack

    from sssnake.engine.player.engine import OptionValues

EMPTY = "<empty>"  # how UCI writes an empty string
INTERNAL = "<internal>"  # EvalFile: the evaluation that is shipped
ABOUT = "SSSnake: Stockman's SSS* as a chess engine. GPL-3.0-or-later"


def whole_number(text: str) -> int:
    """The integer that `text` spells, decimals cut off. ValueError: no number, or none that ends.

    Some clients write their milliseconds as 60000.0 or, after the system's locale, 60000,0.
    """
    try:
        return int(text)
    except ValueError:
        number = float(text.replace(",", ".", 1))
    if number - number != 0:  # NaN and the infinities
        raise ValueError(f"{text} is no number to count with")
    return int(number)


def letters(text: str) -> str:
    """The letters and digits of `text`: SSSliteral for SSS*-literal."""
    return "".join(c for c in text if c.isalnum())


class Option:
    """An option: UCI name, type, default, range or choices, meaning, and the `Options` field that it sets."""

    __slots__ = ("choices", "default", "field", "high", "kind", "live", "low", "meaning", "name")

    def __init__(
        self,
        name: str,
        kind: str,
        field: str = "",
        default: str | int | bool = "",
        low: int = 0,
        high: int = 0,
        choices: tuple[str, ...] = (),
        live: bool = True,
    ):
        self.name = name
        self.kind = kind  # check, spin, combo, string or button
        self.field = field  # "" when nothing is stored
        self.default = default
        self.low = low
        self.high = high
        self.choices = choices
        self.live = live  # declared and accepted only when the engine honours it
        self.meaning = ""

    def means(self, meaning: str) -> "Option":
        """Say what the option does, in Markdown; the option itself."""
        self.meaning = meaning
        return self

    def declaration(self) -> str:
        """The `option` line that answers `uci`."""
        line = f"option name {self.name} type {self.kind}"
        if self.kind == "check":
            line += f" default {str(self.default).lower()}"
        elif self.kind != "button":
            default = letters(str(self.default)) if self.kind == "combo" else self.default
            line += f" default {default if default != '' else EMPTY}"
        if self.kind == "spin":
            line += f" min {self.low} max {self.high}"
        return line + "".join(f" var {choice}" for choice in self._spellings())

    def _spellings(self) -> "Iterator[str]":
        """The choices, each in letters and digits too: some clients read nothing else."""
        for choice in self.choices:
            yield from dict.fromkeys((letters(choice), choice))

    def choice(self, text: str) -> str | None:
        """The choice that `text` spells, with or without its signs."""
        wanted = text.lower()
        return next((x for x in self.choices if wanted in (x.lower(), letters(x).lower())), None)

    def read(self, text: str) -> tuple[str | int | bool, str]:
        """`text` as a value of this option, clamped if need be, with a remark then. ValueError: refused."""
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise ValueError(f"{self.name} is true or false")
            return text.lower() == "true", ""
        if self.kind == "spin":
            try:
                number = whole_number(text)
            except ValueError:
                raise ValueError(f"{self.name} is a number from {self.low} to {self.high}") from None
            value = min(max(number, self.low), self.high)
            return value, "" if value == number else f"{self.name} set to {value}, the nearest allowed"
        if self.kind == "combo":
            choice = self.choice(text)
            if choice is not None:
                return choice, ""
            raise ValueError(
                f"{self.name} is one of {', '.join(self.choices)}{did_you_mean(text, self.choices)}"
            )
        return "" if text == EMPTY else text, ""

    def check(self, value: str | int | bool) -> None:
        """ValueError: `value` is of another type than the default, or out of range."""
        if type(value) is not type(self.default):
            raise ValueError(f"{self.field} is of type {type(self.default).__name__}, not {value!r}")
        if self.kind == "spin" and not self.low <= int(value) <= self.high:
            raise ValueError(f"{self.field} is a number from {self.low} to {self.high}, not {value}")
        if self.kind == "combo" and self.choice(str(value)) is None:
            raise ValueError(f"{self.field} is one of {', '.join(self.choices)}, not {value!r}")


DRIVERS = ("SSS*", "SSS*-literal", "DUAL*", "MTD(f)", "MTD(bi)", "PVS", "AlphaBeta")

TABLE = (  # `python docs/options.py` writes docs/play/options.md from it
    Option("Hash", "spin", "hash_mb", 16, 1, 65536).means(
        "size of the transposition table in MiB, on huge pages where Linux offers them. More than the "
        "machine or the container has is refused, and the old size stays. If there is no room for the "
        "default, the table is smaller"
    ),
    Option("Clear Hash", "button").means("empties the transposition table"),
    Option("Threads", "spin", "threads", 1, 1, 256).means(
        "search threads, which share the transposition table. One thread with a limit of nodes or depth "
        "repeats the same search every time"
    ),
    Option("Driver", "combo", "driver", DRIVERS[0], choices=DRIVERS).means(
        "how null-window tests are steered; PVS and AlphaBeta are for comparison. The signs may be left "
        "out (SSS, SSSliteral, DUAL, MTDf, MTDbi), as some clients read letters and digits alone"
    ),
    # More lines than any position has moves: scripts send it.
    Option("MultiPV", "spin", "multipv", 1, 1, 500).means("number of lines shown"),
    Option("Ponder", "check", "ponder", False).means(
        "tells GUIs that pondering works; nothing else depends on it"
    ),
    Option("Move Overhead", "spin", "move_overhead", 30, 0, 10000).means(
        "ms lost outside the engine at each move. Where the clock shows that more is lost, or the machine "
        "was busy, more is kept back"
    ),
    Option("EvalFile", "string", "eval_file", INTERNAL).means(
        "the evaluation network ([training](../develop/training.md)). A file that holds no network is "
        "refused, and the old network stays"
    ),
    Option("nodestime", "spin", "nodestime", 0, 0, 100000).means(
        "nodes that count as one ms; the clock then runs by nodes. The first clock of a game fills an "
        "account, each increment adds to it, and later clocks of the GUI do not matter. Choose it well "
        "below the true speed"
    ),
    Option("OwnBook", "check", "own_book", False).means(
        "plays from an opening book while it knows the position; never in analysis"
    ),
    Option("BookFile", "string", "book_file").means("a Polyglot book; empty: the shipped one"),
    Option("BookDepth", "spin", "book_depth", 20, 1, 200).means(
        "last move number that is played from the book"
    ),
    Option("BookSeed", "spin", "book_seed", 0, 0, 2147483647).means(
        "seed of the book's choices. 0: other choices each time"
    ),
    Option("SyzygyPath", "string", "syzygy_path").means(
        "folders of Syzygy endgame tablebases, with `;` or `:` between them"
    ),
    Option("SyzygyProbeDepth", "spin", "syzygy_probe_depth", 1, 1, 100).means(
        "plies that must be left where a position in the search is probed; a `go depth` below this value "
        "does without tablebases"
    ),
    Option("SyzygyProbeLimit", "spin", "syzygy_probe_limit", 7, 0, 7).means(
        "largest piece count, kings included, that is probed; 0: none"
    ),
    Option("Syzygy50MoveRule", "check", "syzygy_50_move_rule", True).means(
        "false: wins that the 50-move rule would draw count as wins"
    ),
    Option("Skill Level", "spin", "skill_level", 20, 0, 20).means(
        "20 is full strength; see [strength](strength.md)"
    ),
    Option("SkillSeed", "spin", "skill_seed", 0, 0, 2147483647).means(
        "seed of the choices of a weaker player. 0: other choices each time"
    ),
    Option("UCI_LimitStrength", "check", "limit_strength", False).means(
        "plays at the strength of UCI_Elo; Skill Level does not matter then"
    ),
    Option("UCI_Elo", "spin", "elo", 1500, 850, 2530).means("see [strength](strength.md)"),
    Option("UCI_Chess960", "check", "chess960", False).means(
        "castling is written king takes rook. FENs may have castling letters of both kinds (KQkq, HAha). "
        "Where only Chess960 knows the rights, castling is written so for that position, and an `info "
        "string` says it"
    ),
    Option("UCI_ShowWDL", "check", "show_wdl", False).means(
        "`wdl W D L` after each score: win, draw, loss per mille"
    ),
    Option("UCI_AnalyseMode", "check", "analyse_mode", False).means(
        "analysis: full strength, whatever Skill Level and UCI_Elo say"
    ),
    Option("UCI_Opponent", "string", "opponent").means(
        "the opponent's name; it is written to the Debug Log File and changes nothing"
    ),
    Option("UCI_EngineAbout", "string", default=ABOUT).means("who we are; what is set is ignored"),
    Option("Debug Log File", "string", "log_file").means("appends all traffic to that file"),
)

# Parameters of the search that `uci` declares too. Empty but on a branch that OpenBench is to tune: its match
# runner passes on nothing that is not declared.
TUNED: tuple[str, ...] = ()


def canonical(name: str) -> str:
    """The form in which names are compared: case and blanks do not count, so "MoveOverhead" is found."""
    return "".join(name.lower().split())


LIVE = {canonical(option.name): option for option in TABLE if option.live}
FIELDS = {option.field: option for option in TABLE if option.field}


class Options:
    """The values in force, one typed attribute for each field that an option sets."""

    hash_mb: int
    threads: int
    driver: str
    multipv: int
    ponder: bool
    move_overhead: int
    eval_file: str
    nodestime: int
    own_book: bool
    book_file: str
    book_depth: int
    book_seed: int
    syzygy_path: str
    syzygy_probe_depth: int
    syzygy_probe_limit: int
    syzygy_50_move_rule: bool
    skill_level: int
    skill_seed: int
    limit_strength: bool
    elo: int
    chess960: bool
    show_wdl: bool
    analyse_mode: bool
    opponent: str
    log_file: str

    def __init__(self, **values: "Unpack[OptionValues]"):
        """Defaults, changed by `values` (field=value): see `update`."""
        for option in TABLE:
            if option.field:
                setattr(self, option.field, option.default)
        self.update(**values)

    def update(self, **values: "Unpack[OptionValues]") -> None:
        """Change fields. ValueError, nothing is changed: no such option, or a value that it does not take."""
        given: dict[str, Any] = {**values}
        for name, value in given.items():
            if name not in FIELDS:
                raise ValueError(f"no option '{name}'{_meant(name)}")
            FIELDS[name].check(value)
        for name, value in given.items():
            setattr(self, name, FIELDS[name].choice(str(value)) or value)

    def set(self, option: Option, text: str) -> str:
        """Give `option` the value that `text` spells; a remark or "". ValueError: refused, old value kept."""
        value, remark = option.read(text)
        if option.field:
            setattr(self, option.field, value)
        return remark


def _meant(name: str) -> str:
    """The field that a wrong name was perhaps meant for: UCI's own names, and what resembles a field."""
    wanted = letters(name).lower()
    for option in FIELDS.values():
        if letters(option.name).lower() in (wanted, f"uci{wanted}"):
            return f"; did you mean {option.field}?"
    begun = next((word for word in FIELDS if word.partition("_")[0] == name.partition("_")[0].lower()), "")
    return f"; did you mean {begun}?" if begun else did_you_mean(name, FIELDS)


def driver(text: str) -> str:
    """The driver that `text` spells, or `text`: for command lines."""
    return FIELDS["driver"].choice(text) or text


def find(name: str) -> Option | None:
    """The live option called `name`."""
    return LIVE.get(canonical(name))


def declarations() -> "Iterator[str]":
    """The `option` lines that answer `uci`."""
    yield from (option.declaration() for option in TABLE if option.live)
    if TUNED:
        from sssnake._fast.search.parameters import TABLE as PARAMETERS

        for row in PARAMETERS:
            if row.name in TUNED:
                yield Option(row.name, "spin", "", row.default, row.minimum, row.maximum).declaration()
