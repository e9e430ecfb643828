// The board: chessground with the legal moves that the server sends, arrows, and the choice of a promotion.

import { Chessground } from "./vendor/chessground.js";

const PIECES = { q: "queen", r: "rook", b: "bishop", n: "knight" };
const BRUSHES = Object.fromEntries([0.85, 0.6, 0.45, 0.35, 0.28].map((opacity, index) =>
  [`line${index}`, { key: `l${index}`, color: index ? "#1d4f8c" : "#14633f", opacity, lineWidth: 13 - 2 * index }]));

export class Board {
  constructor(element, onMove) {
    this.onMove = onMove;
    this.legal = {};
    this.ground = Chessground(element, {
      animation: { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180 },
      movable: { free: false, color: undefined, events: { after: (from, to) => this.moved(from, to) } },
      premovable: { enabled: false },
      drawable: { enabled: true, brushes: BRUSHES },
      highlight: { lastMove: true, check: true },
    });
  }

  // colour: whose moves may be made here: the side to move, or none.
  show(position, flipped, mayMove) {
    this.legal = mayMove ? position.legal : {};
    const dests = new Map();
    for (const move of Object.keys(this.legal)) {
      const from = move.slice(0, 2);
      dests.set(from, [...(dests.get(from) ?? []), move.slice(2, 4)]);
    }
    this.turn = position.turn;
    this.shown = {
      fen: position.fen,
      orientation: flipped ? "black" : "white",
      turnColor: position.turn,
      check: position.check,
      lastMove: position.last ? [position.last.slice(0, 2), position.last.slice(2, 4)] : undefined,
      movable: { color: mayMove ? position.turn : undefined, dests },
    };
    this.ground.set(this.shown);
  }

  arrows(moves) {
    this.ground.setAutoShapes(moves.map((move, index) =>
      ({ orig: move.slice(0, 2), dest: move.slice(2, 4), brush: `line${index}` })).reverse());
  }

  async moved(from, to) {
    const found = Object.keys(this.legal).filter((move) => move.startsWith(from + to));
    const move = found.length > 1 ? await this.promote(found) : found[0];
    if (move) this.onMove(move);
    else this.ground.set(this.shown); // taken back
  }

  // Ask for the piece of a promotion; undefined if the dialog is left.
  promote(moves) {
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
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () =>
      resolve(moves.find((move) => move.endsWith(dialog.returnValue) && dialog.returnValue)), { once: true }));
  }
}
