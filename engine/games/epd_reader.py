"""One EPD or FEN line as people and programs write it, brought into the form that python-chess reads.

Understood beside the standard's own form: counters after the position (with or without a mark behind them),
commas between moves, `!` and `?` behind them, castling with zeros, moves in UCI notation, text without
quotation marks, a byte order mark. Castling rights by files (Shredder), or of a king that does not stand on
the e-file, make a position one of Chess960. Opcodes that nobody knows are kept.
"""

import re
from collections.abc import Iterator

import chess

Operations = dict[str, str | int | float | chess.Move | list[chess.Move] | None]

MOVE_LISTS = ("bm", "am", "pv")
COUNTERS = re.compile(r"\s*(\d+)(?:[\s;]+(\d+))?(?=[\s;]|$)[\s;]*")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?|[+-]?\.\d+")
OPCODE = re.compile(r"\s*([^\s;\"]+)\s*")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"?\s*')
MOVE_NUMBER = re.compile(r"\d+\.+")
PROMOTION = re.compile(r"([a-h][18])[=/(]?([NBRQnbrq])\)?$")


class _Fischer(chess.Board):
    """A board of Chess960, also where python-chess makes another one of the same kind."""

    def __init__(self, fen: str | None = chess.STARTING_FEN, *, chess960: bool = True) -> None:
        super().__init__(fen, chess960=chess960)


def read_epd(
    line: str, chess960: bool = False, position_alone: bool = False
) -> tuple[chess.Board, Operations]:
    """Position and operations of a line; ValueError says what is wrong with it.

    With `position_alone` no other operations are looked at than the two counters.
    """
    fields = line.lstrip("\ufeff").replace("–", "-").split(None, 4)
    rest = fields.pop() if len(fields) > 4 else ""
    fields = [field.rstrip(";") for field in fields]
    position = " ".join(fields)
    fischer = _Fischer(position)
    by_files = len(fields) > 2 and re.search("[A-Ha-h]", fields[2]) is not None
    chess960 = chess960 or by_files or fischer.has_chess960_castling_rights()
    board = fischer if chess960 else chess.Board(position)
    if not board.is_valid():
        raise ValueError(f"illegal position {position[:90]!a}")
    counters = COUNTERS.match(rest)
    rest = rest[counters.end() :] if counters else rest
    given = zip(("hmvc", "fmvn"), counters.groups() if counters else (), strict=False)
    texts = [f"{code} {number};" for code, number in given if number]
    texts += [
        _normal(board, opcode, operand, quoted)
        for opcode, operand, quoted in _split(rest)
        if not position_alone or opcode in ("hmvc", "fmvn")
    ]
    operations: Operations = board.set_epd(" ".join([position, *texts])) if texts else {}
    _check_counters(operations)
    found = chess.Board(board.fen(), chess960=chess960)
    return found, operations


def _check_counters(operations: Operations) -> None:
    for code in ("hmvc", "fmvn"):
        value = operations.get(code, 0)
        if not isinstance(value, int) or not 0 <= value < 1 << 15:
            raise ValueError(f"{code} {value} is no number of moves")


def _split(text: str) -> Iterator[tuple[str, str, bool]]:
    """(opcode, operand, whether it stood in quotation marks) of each operation."""
    at = 0
    while at < len(text):
        found = OPCODE.match(text, at)
        if found is None or found[1] == "-":  # a mark too many, or nothing
            at = found.end() if found else at + 1
            continue
        quoted = QUOTED.match(text, found.end())
        if quoted is not None:
            operand, at = quoted[1], quoted.end()
        else:
            end = text.find(";", found.end())
            at = len(text) if end < 0 else end
            operand = text[found.end() : at].strip()
        yield found[1], operand, quoted is not None


def _normal(board: chess.Board, opcode: str, operand: str, quoted: bool) -> str:
    """An operation as python-chess reads it."""
    if opcode in MOVE_LISTS:
        sans, after = [], board.copy(stack=False)
        for word in re.split(r"[\s,]+", operand):
            if text := MOVE_NUMBER.sub("", word).rstrip("!?"):
                move = read_move(after, text)
                sans.append(after.san(move))
                if opcode == "pv":
                    after.push(move)
        return f"{opcode} {' '.join(sans)};"
    if not operand or (not quoted and NUMBER.fullmatch(operand)):
        return f"{opcode} {operand};"
    if not quoted:
        try:
            return f"{opcode} {board.san(read_move(board, operand.rstrip('!?')))};"
        except ValueError:
            operand = operand.replace("\\", "\\\\").replace('"', '\\"')
    return f'{opcode} "{operand}";'


def read_move(board: chess.Board, text: str) -> chess.Move:
    """A legal move in SAN or UCI notation; ValueError if it is none, or unclear."""
    castling = text.upper().replace("0", "O").rstrip("+#")
    try:
        if castling in ("O-O", "O-O-O"):
            return board.parse_san(castling)
        move = board.parse_san(PROMOTION.sub(r"\1=\2", text.rstrip("+#").removesuffix("e.p.")))
    except ValueError as error:
        try:
            move = board.parse_uci(text.lower())
        except ValueError:
            kind = "unclear" if isinstance(error, chess.AmbiguousMoveError) else "illegal"
            raise ValueError(f"{kind} move {text[:20]!a}") from None
    if not move:
        raise ValueError("a null move")
    return move
