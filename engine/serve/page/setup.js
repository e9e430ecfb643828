// A position is set up: choose a piece and click squares, drag pieces, or take them away.

import { Chessground } from "./vendor/chessground.js";
import { find } from "./ui.js";

const PIECES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const EMPTY = "8/8/8/8/8/8/8/8", START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const CASTLING = { K: ["e1", "h1", "white"], Q: ["e1", "a1", "white"], k: ["e8", "h8", "black"], q: ["e8", "a8", "black"] };

export class Setup {
  // onDone: told the FEN. check: rejects, in one line, one that cannot be.
  constructor(onDone, check) {
    Object.assign(this, { dialog: find("setup"), onDone, check });
    this.chosen = null; // the piece that a click puts down; "none" takes away
    const row = (color) => PIECES.map((role) => this.tool(color, role));
    find("palette").append(...row("white"), this.tool(), ...row("black"));
    find("set-up").onclick = () => this.open();
    find("empty").onclick = () => this.ground.set({ fen: EMPTY });
    find("initial").onclick = () => this.ground.set({ fen: START });
    this.dialog.firstElementChild.onsubmit = (event) => {
      if (event.submitter?.value !== "done") return;
      event.preventDefault();
      this.done();
    };
  }

  // What is refused stays on the board, to be mended.
  async done() {
    const fen = this.fen();
    try { await this.check(fen); } catch (error) { find("refused").textContent = error.message.replace(/: '[^']*'$/, ""); return; } // (without the FEN)
    if (!this.dialog.open) return; // it was left meanwhile
    this.dialog.close();
    this.onDone(fen);
  }

  tool(color, role) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", ariaLabel: role ? `${color} ${role}` : "take away", ariaPressed: "false" });
    if (role) {
      const piece = document.createElement("piece");
      piece.className = `${role} ${color}`;
      button.append(piece);
    } else button.textContent = "×";
    button.onclick = () => {
      const same = this.button === button;
      this.button?.setAttribute("aria-pressed", "false");
      this.button = same ? null : button;
      this.chosen = same ? null : role ? { role, color } : "none";
      this.button?.setAttribute("aria-pressed", "true");
      this.ground?.set({ draggable: { enabled: !this.chosen }, selectable: { enabled: false } });
    };
    return button;
  }

  open() {
    const [board, turn, castling] = this.from().split(" ");
    find("refused").textContent = "";
    this.dialog.showModal();
    this.ground ??= Chessground(find("setup-board"), {
      movable: { free: true, color: "both" }, animation: { enabled: false }, drawable: { enabled: false }, draggable: { deleteOnDropOff: true },
      selectable: { enabled: false }, highlight: { lastMove: false, check: false }, premovable: { enabled: false },
    });
    this.ground.set({ fen: board, orientation: "white" });
    this.ground.redrawAll();
    find("turn").value = turn;
    for (const right of Object.keys(CASTLING)) find(`castle-${right}`).checked = castling.includes(right);
    this.listen(find("setup-board"));
  }

  // A finger on a piece makes no click: the board takes it for the beginning of a move.
  listen(board) {
    const under = ({ clientX, clientY }) => this.ground.getKeyAtDomPos([clientX, clientY]);
    let pressed = null;
    board.onpointerdown = (event) => { pressed = event.button === 0 ? under(event) : null; };
    board.onpointerup = (event) => { if (pressed && pressed === under(event)) this.put(pressed); };
  }

  put(square) {
    if (!this.chosen) return;
    find("refused").textContent = "";
    const there = this.ground.state.pieces.get(square), { role, color } = this.chosen;
    const same = there && there.role === role && there.color === color;
    this.ground.setPieces(new Map([[square, this.chosen === "none" || same ? undefined : this.chosen]]));
  }

  fen() {
    const has = (square, role, color) => {
      const piece = this.ground.state.pieces.get(square);
      return piece?.role === role && piece.color === color;
    };
    const rights = Object.entries(CASTLING).filter(([right, [king, rook, color]]) =>
      find(`castle-${right}`).checked && has(king, "king", color) && has(rook, "rook", color)).map(([right]) => right).join("");
    return `${this.ground.getFen()} ${find("turn").value} ${rights || "-"} - 0 1`;
  }
}
