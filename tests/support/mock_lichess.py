"""A chess server on this machine that speaks enough of lichess's bot interface for lichess-bot to play on it.

It offers the bot a number of games and plays them itself, with random moves after a short thought. What else
it does is told ply by ply: `deeds` maps a number of moves played to "resign", "abort", "takeback" (asks for
one), "chat" or "wait" (nothing at all), in place of the move or, when it is the bot's turn, while it thinks.
"""

import contextlib
import json
import random
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import chess

BOT, HUMAN = "SSSnakeBot", "Human"
KEEP_ALIVE = 1.0  # seconds between the empty lines of a quiet stream
GAP = 2.0  # seconds between the starts of games: lichess-bot mixes up games that start together
Json = dict[str, Any]


class Stream:
    """Lines that any number of readers follow from the first one on."""

    def __init__(self) -> None:
        self.lines: list[Json] = []
        self.closed = False
        self._news = threading.Condition()

    def put(self, line: Json, last: bool = False) -> None:
        """Append a line."""
        with self._news:
            self.lines.append(line)
            self.closed = last
            self._news.notify_all()

    def follow(self) -> Iterator[bytes]:
        """Yield all lines; an empty one if there is none for a while."""
        at = 0
        while True:
            with self._news:
                if at == len(self.lines) and self.closed:
                    return
                if at == len(self.lines):
                    self._news.wait(KEEP_ALIVE)
                fresh = self.lines[at:]
            yield b"\n".join(json.dumps(line).encode() for line in fresh)
            at += len(fresh)


class Game:
    """One game against the bot, with its arbiter. `faults` lists the bot's violations of the protocol."""

    def __init__(
        self,
        name: str,
        bot_is_white: bool,
        fen: str = "",
        chess960: bool = False,
        deeds: Mapping[int, str] | None = None,
        seconds: int = 60,
        thought: float = 0.3,
    ) -> None:
        self.name, self.bot_is_white, self.thought = name, bot_is_white, thought
        self.fen, self.chess960, self.deeds = fen, chess960, dict(deeds or {})
        self.board = chess.Board(fen or chess.STARTING_FEN, chess960=chess960)
        self.clock = [1000.0 * seconds] * 2  # ms, indexed by colour
        self.increment = 1000
        self.status, self.winner = "started", ""
        self.stream, self.over = Stream(), threading.Event()
        self.faults: list[str] = []
        self.said: list[str] = []
        self._rng, self._lock = random.Random(name), threading.RLock()
        self._since = time.monotonic()

    # What lichess tells about a game.

    def variant(self) -> Json:
        """The variant, under its three names."""
        if self.chess960:
            return {"key": "chess960", "name": "Chess960", "short": "960"}
        if self.fen:
            return {"key": "fromPosition", "name": "From Position", "short": "FEN"}
        return {"key": "standard", "name": "Standard", "short": "Std"}

    def challenge(self) -> Json:
        """The event that offers the game."""
        offer: Json = {
            "id": self.name,
            "status": "created",
            "rated": False,
            "speed": "bullet",
            "perf": {"name": "Bullet"},
            "challenger": {"id": HUMAN.lower(), "name": HUMAN, "title": None, "rating": 1500},
            "destUser": {"id": BOT.lower(), "name": BOT, "title": "BOT", "rating": 1500},
            "variant": self.variant(),
            "color": "random",
            "finalColor": "black" if self.bot_is_white else "white",
            "timeControl": {"type": "clock", "limit": round(self.clock[0] / 1000), "increment": 1},
        }
        if self.fen:
            offer["initialFen"] = self.fen
        return {"type": "challenge", "challenge": offer}

    def begin(self) -> None:
        """The first line of the game's stream."""
        names = [{"id": n.lower(), "name": n, "rating": 1500} for n in (BOT, HUMAN)]
        white, black = names if self.bot_is_white else names[::-1]
        full = {
            "type": "gameFull",
            "id": self.name,
            "rated": False,
            "variant": self.variant(),
            "speed": "bullet",
            "perf": {"name": "Bullet"},
            "createdAt": int(1000 * time.time()),
            "white": white,
            "black": black,
            "initialFen": self.fen or "startpos",
            "clock": {"initial": self.clock[0], "increment": self.increment},
            "state": self.state(),
        }
        self.stream.put(full)
        self._schedule()

    def state(self, **more: object) -> Json:
        """The state of the game, as an event."""
        found = {
            "type": "gameState",
            "moves": " ".join(move.uci() for move in self.board.move_stack),
            "wtime": round(self.clock[chess.WHITE]),
            "btime": round(self.clock[chess.BLACK]),
            "winc": self.increment,
            "binc": self.increment,
            "status": self.status,
            **more,
        }
        return {**found, "winner": self.winner} if self.winner else found

    # What happens in it.

    def play(self, text: str, by_bot: bool) -> bool:
        """Play the bot's move; False: refused."""
        with self._lock:
            if self.status != "started" or self.board.turn != (self.bot_is_white == by_bot):
                return False
            try:
                self.board.push_uci(text)
            except ValueError:
                self.faults.append(f"illegal move {text} in {self.board.fen()}")
                return False
            if len(self.board.move_stack) > 2:  # clocks start with the second move of each
                mover = not self.board.turn
                self.clock[mover] += self.increment - 1000 * (time.monotonic() - self._since)
                if self.clock[mover] < self.increment:
                    self.faults.append(f"{'bot' if by_bot else 'human'} out of time")
            self._since = time.monotonic()
            self._rule()
            self._publish()
            return True

    def end(self, status: str, winner: chess.Color | None = None) -> None:
        """Finish the game, unless it has ended."""
        with self._lock:
            if self.status == "started":
                self.status = status
                self.winner = "" if winner is None else "white" if winner else "black"
                self._publish()

    def take_back(self, accepted: bool) -> None:
        """Take back two plies, if the bot accepts the request."""
        with self._lock:
            if accepted:
                self.board.pop()
                self.board.pop()
                self.said.append("takeback")
            self._publish()

    def _rule(self) -> None:
        outcome = self.board.outcome(claim_draw=True)
        if outcome is not None:
            self.status = "mate" if outcome.winner is not None else "draw"
            self.winner = "" if outcome.winner is None else "white" if outcome.winner else "black"

    def _publish(self) -> None:
        finished = self.status != "started"
        self.stream.put(self.state(), last=finished)
        if finished:
            self.over.set()
        else:
            self._schedule()

    def _schedule(self) -> None:
        """After a pause, do the human's action of this ply."""
        ply = len(self.board.move_stack)
        theirs = self.board.turn != self.bot_is_white
        deed = self.deeds.pop(ply, "move" if theirs else "wait")
        threading.Timer(self.thought, self._do, (deed, ply)).start()

    def _do(self, deed: str, ply: int) -> None:
        with self._lock:
            if self.status != "started" or len(self.board.move_stack) != ply:
                return
            if deed == "move":
                self.play(self._rng.choice([move.uci() for move in self.board.legal_moves]), by_bot=False)
            elif deed == "resign":
                self.end("resign", self.bot_is_white)
            elif deed == "abort":
                self.end("aborted")
            elif deed == "takeback":
                self.stream.put(self.state(**{"btakeback" if self.bot_is_white else "wtakeback": True}))
            elif deed == "chat":
                self.stream.put({"type": "chatLine", "room": "player", "username": HUMAN, "text": "!name"})
                self._schedule()


class Lichess:
    """The server. Offers its games as soon as the bot listens."""

    def __init__(self, games: list[Game]) -> None:
        self.games = {game.name: game for game in games}
        self.events = Stream()
        self._started = 0
        for game in games:
            self.events.put(game.challenge())
        server = self

        class Handler(BaseHTTPRequestHandler):
            """Hands every request to the server."""

            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                """A stream, or a JSON answer."""
                server.get(self)

            def do_POST(self) -> None:
                """An action."""
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                answer_json(self, *server.post(self.path.partition("?")[0].split("/")[1:], body))

            def log_message(self, format: str, *arguments: object) -> None:
                """Nothing is logged."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.http.server_port}/"

    def close(self) -> None:
        """Stop serving."""
        self.http.shutdown()
        self.http.server_close()

    def _start(self, game: Game) -> None:
        game.begin()
        self.events.put({"type": "gameStart", "game": {"id": game.name, "opponent": {"username": HUMAN}}})

    def get(self, request: BaseHTTPRequestHandler) -> None:
        """Answer a GET."""
        words = request.path.partition("?")[0].split("/")[1:]
        match words:
            case ["api", "stream", "event"]:
                answer_stream(request, self.events)
            case ["api", "bot", "game", "stream", name]:
                answer_stream(request, self.games[name].stream)
            case ["api", "account"]:
                answer_json(request, 200, {"id": BOT.lower(), "username": BOT, "title": "BOT", "perfs": {}})
            case ["api", "account", "playing"]:
                answer_json(request, 200, {"nowPlaying": []})
            case ["api", "users", "status"]:
                answer_json(request, 200, [{"id": BOT.lower(), "name": BOT, "online": True}])
            case _:
                answer_json(request, 404, {"error": "Not found"})

    def post(self, words: list[str], body: str) -> tuple[int, object]:
        """Carry out a POST; status and answer."""
        done = True
        match words:
            case ["api", "token", "test"]:
                return 200, {body: {"userId": BOT.lower(), "scopes": "bot:play", "expires": None}}
            case ["api", "challenge", name, "accept"]:
                self._started += 1
                threading.Timer(GAP * self._started, self._start, (self.games[name],)).start()
            case ["api", "challenge", name, "decline"]:
                self.games[name].faults.append(f"challenge declined: {body}")
            case ["api", "bot", "game", name, "move", move]:
                done = self.games[name].play(move, by_bot=True)
            case ["api", "bot", "game", name, "takeback", answer]:
                self.games[name].take_back(answer == "yes")
            case ["api", "bot", "game", name, "chat"]:
                self.games[name].said.append(body)
            case ["api", "bot", "game", name, "abort"]:
                self.games[name].end("aborted")
            case ["api", "bot", "game", name, "resign"]:
                self.games[name].end("resign", not self.games[name].bot_is_white)
            case _:
                return 404, {"error": "Not found"}
        return (200, {"ok": True}) if done else (400, {"error": "refused"})


def answer_json(request: BaseHTTPRequestHandler, status: int, answer: object) -> None:
    """Send a JSON answer."""
    body = json.dumps(answer).encode()
    request.send_response(status)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    with contextlib.suppress(ConnectionError):
        request.wfile.write(body)


def answer_stream(request: BaseHTTPRequestHandler, stream: Stream) -> None:
    """Send lines of JSON as they come, until the stream ends or the reader goes."""
    request.send_response(200)
    request.send_header("Content-Type", "application/x-ndjson")
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    with contextlib.suppress(ConnectionError):
        for line in stream.follow():
            request.wfile.write(b"%x\r\n%s\n\r\n" % (len(line) + 1, line))
            request.wfile.flush()
        request.wfile.write(b"0\r\n\r\n")
