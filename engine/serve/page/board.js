// The board: chessground with the legal moves that the server sends, arrows, and the choice of a promotion.

import { asked } from "./ui.js";
import { Chessground } from "./vendor/chessground.js";

const PIECES = { q: "queen", r: "rook", b: "bishop", n: "knight" };
const BRUSHES = Object.fromEntries([0.85, 0.6, 0.45, 0.35, 0.28].map((opacity, index) =>
  [`line${index}`, { key: `l${index}`, color: index ? "#1d4f8c" : "#14633f", opacity, lineWidth: 13 - 2 * index }]));

// The ways to make a move on the board. A king castles by his own two squares and by taking his rook.
function ways(move, san, legal) {
  const from = move.slice(0, 2), to = move.slice(2, 4);
  if (!san.startsWith("O-O")) return [from + to];
  const long = san.startsWith("O-O-O"), rank = from[1];
  const king = from + (long ? "c" : "g") + rank;
  const rook = to === king.slice(2) ? from + (long ? "a" : "h") + rank : from + to; // Chess960 names the rook's square
  const distance = Math.abs(from.charCodeAt(0) - king.charCodeAt(2));
  return distance > 1 && !(king in legal && king !== move) ? [...new Set([king, rook])] : [rook];
}

export class Board {
  constructor(element, onMove) {
    this.onMove = onMove;
    this.moves = new Map(); // squares from and to -> moves
    this.ground = Chessground(element, {
      animation: { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180 },
      movable: { free: false, color: undefined, events: { after: (from, to) => this.moved(from, to) } },
      drawable: { enabled: true, brushes: BRUSHES },
      highlight: { lastMove: true, check: true },
    });
  }

  // mayMove: whether the side to move is moved here. premove: the side that may enter its move beforehand.
  show(position, flipped, mayMove, premove) {
    this.moves = new Map();
    for (const [move, san] of Object.entries(mayMove ? position.legal : {})) {
      for (const way of ways(move, san, position.legal)) this.moves.set(way, [...(this.moves.get(way) ?? []), move]);
    }
    const dests = new Map();
    for (const way of this.moves.keys()) dests.set(way.slice(0, 2), [...(dests.get(way.slice(0, 2)) ?? []), way.slice(2)]);
    this.turn = position.turn;
    this.shown = {
      fen: position.fen,
      orientation: flipped ? "black" : "white",
      turnColor: position.turn,
      check: position.check,
      lastMove: position.last ? [position.last.slice(0, 2), position.last.slice(2, 4)] : undefined,
      movable: { free: false, color: mayMove ? position.turn : premove, dests },
      premovable: { enabled: Boolean(premove) },
    };
    if (!premove && !mayMove) this.forget();
    this.ground.set(this.shown);
    if (mayMove) this.ground.playPremove();
  }

  // A move that was entered beforehand was meant for another position.
  forget() { this.ground.cancelPremove(); }

  arrows(moves) {
    this.ground.setAutoShapes(moves.map((move, index) =>
      ({ orig: move.slice(0, 2), dest: move.slice(2, 4), brush: `line${index}` })).reverse());
  }

  async moved(from, to) {
    const found = this.moves.get(from + to) ?? [];
    const move = found.length > 1 ? await this.promote(found) : found[0];
    if (move) this.onMove(move);
    else this.ground.set(this.shown); // taken back
  }

  // Ask for the piece of a promotion; undefined if the dialog is left.
  async promote(moves) {
    const dialog = document.getElementById("promotion");
    const row = dialog.firstElementChild;
    row.className = "cg-wrap";
    row.replaceChildren(...Object.entries(PIECES).map(([letter, name]) => {
      const button = document.createElement("button");
      button.value = letter;
      button.ariaLabel = name;
      const piece = document.createElement("piece");
      piece.className = `${name} ${this.turn}`;
      button.append(piece);
      button.onclick = () => dialog.close(letter);
      return button;
    }));
    dialog.onclick = ({ target }) => { if (target === dialog) dialog.close(); }; // beside it: a phone may have no other way out
    const letter = await asked(dialog);
    return letter && moves.find((move) => move.endsWith(letter));
  }
}
