"""Reads the games that pgn_cutter has cut: every word is looked at, then python-chess makes the moves.

A game is refused, with the word and its line, before another game could be read out of it: see movetext. In a
language other than English the letters of the pieces are read if it is asked for; if not, the refusal names
it.
"""

import io
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import chess
import chess.pgn

from sssnake._fast.board.playable import read_fen
from sssnake.engine.games.movetext import (
    DASHES,
    ENGLISH,
    LETTERS,
    NULL_MOVES,
    Token,
    UnknownWordError,
    names_pawn,
    tokens,
)
from sssnake.engine.games.pgn_cutter import TAG, GameText, cut

DECIDED = ("1-0", "0-1", "1/2-1/2")
DECIDING = ("FEN", "SetUp", "Variant")  # tags that say where and how a game begins
FISCHER_RANDOM = "fischerandom"  # Chess960 as the tag Variant: every reader knows it, cutechess no other
logging.getLogger("chess.pgn").addHandler(logging.NullHandler())  # errors are raised here, not printed


@dataclass
class Start:
    """A board, and what was dropped of the FEN where its game begins ("": nothing)."""

    board: chess.Board
    remark: str = ""


def one_game(text: str) -> GameText:
    """The only game of a text. ValueError: there is none, or another one."""
    games = list(cut(io.StringIO(text)))
    if len(games) != 1:
        raise ValueError(f"not a game: {' '.join(text.split())[:60]!a}")
    return games[0]


def headers_of(game: GameText) -> chess.pgn.Headers:
    """The tags. ValueError: one that decides how the game is read is none, or is there twice."""
    headers = chess.pgn.Headers({})
    for line in game.tags:
        found = chess.pgn.TAG_REGEX.match(line)
        if found is None:
            if line[1:4].upper() in ("FEN", "VAR", "SET"):
                raise ValueError(f"line {game.line}: not a tag: {line[:60]!a}")
            continue
        name, value = found.groups()
        for deciding in DECIDING:
            if name != deciding and name.upper() == deciding.upper():
                raise ValueError(f"line {game.line}: the tag {name} is written {deciding}")
            if name == deciding and headers.get(name, value) != value:
                raise ValueError(f"line {game.line}: two tags {name}")
        headers[name] = value
    return headers


def _check_tags(game: GameText) -> None:
    """ValueError: a tag that python-chess would leave out, or one of two of a name."""
    seen: dict[str, str] = {}
    for line in game.tags:
        found = chess.pgn.TAG_REGEX.match(line)
        if found is None:
            raise ValueError(f"line {game.line}: not a tag: {line[:60]!a}")
        if seen.setdefault(found[1], found[2]) != found[2]:
            raise ValueError(f"line {game.line}: two tags {found[1]}")


def start_of(game: GameText, chess960: bool = False) -> Start:
    """The position before the first move. ValueError: another variant of chess, or no such position."""
    headers = headers_of(game)
    try:
        variant = headers.variant()
    except ValueError:
        variant = None
    if variant is not chess.Board:
        raise ValueError(f"variant {headers['Variant'][:30]!a} is not supported")
    fen = headers.get("FEN")
    board, remark = read_fen(fen or chess.STARTING_FEN, chess960 or headers.is_chess960())
    return Start(board, remark)


def board_of_game(
    game: GameText, plies: int | None = None, chess960: bool = False, language: str = ENGLISH
) -> Start:
    """A game's board after `plies` moves (None: all), move stack included; ValueError if it is no game."""
    if not game.body.strip() and not any(line.startswith("[FEN ") for line in game.tags):
        raise ValueError("tags without a game")
    words = words_of(game, language)
    start = start_of(game, chess960)
    return Start(_play(start.board, words, plies), start.remark)


def words_of(game: GameText, language: str = ENGLISH) -> list[Token]:
    """All tokens of a game. ValueError: a word that is none, and the language that would read it."""
    try:
        words = list(_tokens(game, language))
    except UnknownWordError as error:
        if language != ENGLISH:
            raise
        advice = _language_of(game)
        raise ValueError(f"{error}{f'; --language {advice} reads the game' if advice else ''}") from None
    _check_words(game, words, language)
    return words


def _tokens(game: GameText, language: str = ENGLISH) -> Iterator[Token]:
    """The tokens of a game. Without a FEN it begins with move 1, or it is the rest of another one."""
    from_start = not any(line.startswith("[FEN ") for line in game.tags)
    return tokens(game.body, game.numbers, language, begins=1 if from_start else 0)


def _check_words(game: GameText, words: Sequence[Token], language: str) -> None:
    """ValueError: a word that may mean something else here.

    The letter of a pawn, if another language reads the whole game in another way (English P is a Dutch
    knight); castling at the end, if the tag says that both have lost, 0-0.
    """
    pawn = next((token for token in words if token.kind == "move" and names_pawn(token, language)), None)
    if pawn and (others := _other_readings(game, words)):
        raise ValueError(
            f"line {pawn.line}: {pawn.word[:20]!a} is a pawn's move here ({language}), and a piece's with "
            f"--language {min(others)}"
        )
    if words and words[-1].kind == "move" and "0" in words[-1].word:
        said = words[-1].word.translate(DASHES)
        if said == headers_of(game).get("Result", "*").translate(DASHES):
            raise ValueError(f"line {words[-1].line}: {said!a} is the result here, as the tag says")


def _other_readings(game: GameText, words: Sequence[Token]) -> list[str]:
    """The languages in which these words are another whole game. Languages with the same letters are one."""
    try:
        moves = tuple(_play(start_of(game).board, words, None).move_stack)
    except ValueError:
        return []  # the wrong move is named later
    return [name for found, name in _readings(game).items() if found != moves]


def _readings(game: GameText) -> dict[tuple[chess.Move, ...], str]:
    """The games that the languages read, each with the first language that does."""
    found: dict[tuple[chess.Move, ...], str] = {}
    for language in LETTERS:
        try:
            board = _play(start_of(game).board, _tokens(game, language), None)
        except ValueError:
            continue
        found.setdefault(tuple(board.move_stack), language)
    return found


def _language_of(game: GameText) -> str:
    """The language in which the whole game is legal; "" if there is none, or if two read different games."""
    found = _readings(game)
    return next(iter(found.values())) if len(found) == 1 else ""


class _WrongMoveError(ValueError):
    """A move of the main line that cannot be made; `index`: of its word."""

    def __init__(self, message: str, index: int):
        super().__init__(message)
        self.index = index


def _play(board: chess.Board, words: Iterable[Token], plies: int | None) -> chess.Board:
    """Make the moves of the main line. ValueError: an illegal one, with its line."""
    steps = _steps(board, words)
    while plies is None or len(board.move_stack) < plies:
        if next(steps, None) is None:
            break
    return board


def _steps(board: chess.Board, words: Iterable[Token]) -> Iterator[chess.Move]:
    """Make the moves of the main line one by one. _WrongMoveError: one cannot be made."""
    depth = 0
    for index, token in enumerate(words):
        if token.kind in ("open", "close"):
            depth = max(0, depth + (1 if token.kind == "open" else -1))
        elif token.kind == "move" and not depth:
            if token.text in NULL_MOVES:
                raise _WrongMoveError(f"line {token.line}: a null move", index)
            try:
                yield board.push_san(token.text)
            except ValueError as error:
                kind = "ambiguous" if isinstance(error, chess.AmbiguousMoveError) else "illegal"
                raise _WrongMoveError(f"line {token.line}: {kind} move {token.word[:20]!a}", index) from None


class ReadGame(chess.pgn.Game):
    """A game, and the result that stood behind its moves: the tag Result may say something else."""

    said = ""


class _Builder(chess.pgn.GameBuilder[ReadGame]):
    """Builds a game. A variation ends before its first wrong move, and the game goes on behind it.

    (After a wrong move in a variation, python-chess would take the next move of the game for one of it.)
    """

    def __init__(self) -> None:
        super().__init__(Game=ReadGame)
        self.broken = [False]  # for the main line and each variation around the present place

    def begin_variation(self) -> chess.pgn.SkipType | None:  # type: ignore[override]  # as in BaseVisitor
        """Skip what branches off behind a wrong move."""
        self.broken.append(self.broken[-1])
        if self.broken[-1]:
            return chess.pgn.SKIP
        super().begin_variation()
        return None

    def end_variation(self) -> None:
        """Back to the outer line."""
        self.broken.pop()
        if not self.broken[-1]:
            super().end_variation()
            self.in_variation = True  # comments belong to the outer line, also after an empty variation

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        """Skip a wrong move and those behind it."""
        if not self.broken[-1]:
            try:
                board.parse_san(san)
            except ValueError as error:
                self.broken[-1] = True
                self.game.errors.append(error)
        return chess.pgn.SKIP if self.broken[-1] else None

    def visit_nag(self, nag: int) -> None:
        """A mark of the last move."""
        if not self.broken[-1]:
            super().visit_nag(nag)

    def visit_comment(self, comment: str) -> None:
        """A comment on the last move."""
        if not self.broken[-1]:
            super().visit_comment(comment)


def game_of(game: GameText, chess960: bool = False, language: str = ENGLISH) -> tuple[ReadGame, str]:
    """A game with comments and variations, and remarks on it. ValueError: main line or tags are wrong."""
    _check_tags(game)
    words = words_of(game, language)
    start = start_of(game, chess960)
    _play(start.board.copy(), words, None)
    built = _built(game, words, start)
    return built, "; ".join([*filter(None, [start.remark]), *_contradiction(game, words), *_cuts(built)])


def _built(game: GameText, words: Sequence[Token], start: Start) -> ReadGame:
    built = chess.pgn.read_game(io.StringIO(_rewritten(game, words, start)), Visitor=_Builder)
    assert built is not None
    built.said = _result(words)
    return built


def _cuts(built: chess.pgn.Game) -> list[str]:
    """A remark on each variation that ends before a wrong move."""
    return [f"a variation was cut short: {' '.join(str(error).split())}" for error in built.errors]


def readable_part(game: GameText, most: int) -> tuple[chess.pgn.Game, list[str]]:
    """A game up to the first word or move of its main line that is wrong, and remarks on it.

    It is read in another language if that alone reads all of it. ValueError: not one move can be read, or it
    has more moves than `most`, those of its variations counted, or more than ten other words for each.
    """
    words: list[Token] = []
    remarks: list[str] = []
    moves = 0
    try:
        for token in _tokens(game):
            words.append(token)
            moves += token.kind == "move"
            if moves > most or len(words) > 11 * most:
                raise ValueError(f"a game and its variations have at most {most} moves")
    except UnknownWordError as error:
        if language := _language_of(game):
            words = words_of(game, language)
            remarks.append(f"read with the letters of pieces in the language {language!r}")
        else:
            remarks.append(f"read up to here: {error}")
    else:
        _check_words(game, words, ENGLISH)
    start = start_of(game)
    board = start.board.copy()
    try:
        for _ in _steps(board, words):
            pass
    except _WrongMoveError as error:
        del words[error.index :]
        remarks.append(f"read up to here: {error}")
    if remarks and not board.move_stack:
        raise ValueError(remarks[-1].removeprefix("read up to here: "))
    remarks += _contradiction(game, words)
    depth = sum((token.kind == "open") - (token.kind == "close") for token in words)
    words += [Token("close", ")", game.line, ")")] * depth
    try:
        _check_tags(game)
    except ValueError as error:
        remarks.append(str(error))
    built = _built(game, words, start)
    return built, [*filter(None, [start.remark]), *remarks, *_cuts(built)]


def _result(words: Sequence[Token]) -> str:
    """The result behind the moves; "" if there is none."""
    said, depth = "", 0
    for token in words:
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "result" and depth <= 0:
            said = token.text
    return said


def _contradiction(game: GameText, words: Sequence[Token]) -> list[str]:
    """A remark if the tag Result and the result behind the moves differ."""
    told, said = headers_of(game).get("Result", "*"), _result(words)
    if told in DECIDED and said in DECIDED and told != said:
        return [f"the tag Result says {told}, and behind the moves stands {said}"]
    return []


def _rewritten(game: GameText, words: Sequence[Token], start: Start) -> str:
    """The game as python-chess reads it."""
    tags = [line for line in game.tags if TAG.match(line) or chess.pgn.TAG_REGEX.match(line)]
    body, depth = [], 0
    if start.remark:
        tags = [
            f'[FEN "{start.board.fen(en_passant="fen")}"]' if line.startswith('[FEN "') else line
            for line in tags
        ]
    if start.board.chess960 and not any(line.startswith('[Variant "') for line in tags):
        tags.append(f'[Variant "{FISCHER_RANDOM}"]')
    for token in words:
        depth += (token.kind == "open") - (token.kind == "close")
        # python-chess takes a result inside a variation for a move.
        body.append(f"{{ {token.text} }}" if token.kind == "result" and depth > 0 else token.text)
    # A word a line: python-chess copies what follows a comment in its line.
    return "\n".join([*tags, "", *(body or ["*"]), ""])
