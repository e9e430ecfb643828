"""The laboratory's page about a position: SSS* and MTD(+inf) side by side, on the engine's own tree."""

import asyncio

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from sssnake._fast.board.board import Board
from sssnake._fast.board.perft import perft
from sssnake._fast.board.playable import read_fen
from sssnake.engine.lab.chess import explicit
from sssnake.engine.lab.trees.named import FIRST, NAMED
from sssnake.engine.lab.trees.trees import NestedTree, TreeError
from sssnake.engine.lab.views import show
from sssnake.engine.serve.machine import Machine

DEEPEST = 3  # plies: more is too large for the page in any case
MOST_NODES = 10_000  # two or three seconds
LONGEST_FEN = 120  # characters


async def page(request: Request, machine: Machine) -> Response:
    """The page of a position (`fen`, `depth`, `chess960`), or of a tree by name (`tree`)."""
    asked = request.query_params
    try:
        if "fen" not in asked:
            return html(show.served(named(asked.get("tree", FIRST)), None, "lab"))
        fen, depth = asked["fen"][:LONGEST_FEN], asked.get("depth", "2")
        if not (depth.isdecimal() and 1 <= int(depth) <= DEEPEST):
            raise TreeError(f"the depth is a number from 1 to {DEEPEST}")
        refuse_large(fen, int(depth))
        async with machine.place():
            made = await asyncio.to_thread(explicit.written_out, fen, int(depth), "chess960" in asked)
        return html(show.served(made.tree, made, "lab"))
    except TreeError as error:
        return PlainTextResponse(f"{error}\n", 400)


def refuse_large(fen: str, depth: int) -> None:
    """Raise TreeError if the position cannot be read, or if its tree would keep the machine for long."""
    try:
        board = Board.from_chess(read_fen(fen)[0])
    except ValueError as error:
        raise TreeError(str(error)) from None
    nodes = sum(perft(board, plies) for plies in range(1, depth + 1))
    if nodes > MOST_NODES:
        raise TreeError(
            f"the tree has {nodes} nodes, at most {MOST_NODES} are shown: a smaller depth is wanted"
        )


def named(name: str) -> NestedTree:
    """A tree by its name."""
    if name not in NAMED:
        raise TreeError(f"no tree is called {name[:40]!r}; there are {', '.join(NAMED)}")
    return NAMED[name].tree


def html(text: str) -> Response:
    """A page."""
    return Response(text, media_type="text/html")


async def file(request: Request) -> Response:
    """The page's style or its scripts."""
    if request.path_params["name"] == "style.css":
        return Response(show.source("style.css"), media_type="text/css")
    if request.path_params["name"] == "page.js":
        return Response(show.script(*show.SCRIPTS), media_type="text/javascript")
    return Response("not found\n", 404, media_type="text/plain")
