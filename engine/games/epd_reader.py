"""Reads EPD and FEN lines as people and programs write them.

In addition to the standard it understands counters after the position (with or without a semicolon), commas
between moves, `!` and `?` after moves, castling with zeros, moves in UCI notation, text without quotation
marks, and a byte order mark. Castling rights by files (Shredder-FEN), or of a king that is not on the e-file,
mark a position as Chess960. Unknown opcodes are kept.
"""

import re
from collections.abc import Iterator

import chess

from sssnake._fast.board.playable import read_fen

Operations = dict[str, str | int | float | chess.Move | list[chess.Move] | None]

MOVE_LISTS = ("bm", "am", "pv")
COUNTERS = re.compile(r"\s*(\d+)(?:[\s;]+(\d+))?(?=[\s;]|$)[\s;]*")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?|[+-]?\.\d+")
OPCODE = re.compile(r"\s*([^\s;\"]+)\s*")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"?\s*')
MOVE_NUMBER = re.compile(r"\d+\.+")
PROMOTION = re.compile(r"([a-h][18])[=/(]?([NBRQnbrq])\)?$")


class _Fischer(chess.Board):
    """A Chess960 board. python-chess makes copies with the defaults of the class, so these stay Chess960."""

    def __init__(self, fen: str | None = chess.STARTING_FEN, *, chess960: bool = True) -> None:
        super().__init__(fen, chess960=chess960)


def read_position(line: str, chess960: bool = False) -> tuple[chess.Board, str]:
    """The position of a line, and what was dropped of it ("": nothing); ValueError if it is wrong.

    Only the two counters are read of the operations.
    """
    notes: list[str] = []
    return read_epd(line, chess960, position_alone=True, notes=notes)[0], "".join(notes)


def read_epd(
    line: str, chess960: bool = False, *, position_alone: bool = False, notes: list[str] | None = None
) -> tuple[chess.Board, Operations]:
    """Position and operations of a line; ValueError if it is wrong.

    With `position_alone` only the two counters are read of the operations. notes: gets a line if castling
    rights or an en-passant square were dropped, see `read_fen`.
    """
    fields = line.lstrip("\ufeff").replace("–", "-").split(None, 4)
    rest = fields.pop() if len(fields) > 4 else ""
    fields = [field.rstrip(";") for field in fields]
    playable, remark = read_fen(" ".join(fields), chess960)
    if remark and notes is not None:
        notes.append(remark)
    chess960, position = playable.chess960, playable.epd(shredder=playable.chess960, en_passant="fen")
    board = _Fischer(position) if chess960 else chess.Board(position)
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
    """(opcode, operand, whether it was in quotation marks) of each operation."""
    at = 0
    while at < len(text):
        found = OPCODE.match(text, at)
        if found is None or found[1] == "-":  # an extra semicolon, or nothing
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
    """An operation in the form that python-chess reads."""
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
    """A legal move in SAN or UCI notation; ValueError if it is illegal or ambiguous."""
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
