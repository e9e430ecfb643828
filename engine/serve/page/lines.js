// The engine's best lines, as a list and as arrows.

export class Lines {
  constructor(list, board, game, onMove) {
    Object.assign(this, { list, board, game, onMove });
    this.clear();
  }

  // What comes has its place beforehand.
  clear() {
    this.list.style.setProperty("--lines", this.game.lines);
    this.known = new Map();
    this.list.replaceChildren();
    this.board.arrows([]);
  }

  add(line) {
    this.known.set(line.line, line);
    if (!this.drawn) this.drawn = requestAnimationFrame(() => { this.drawn = 0; this.draw(); });
  }

  draw() {
    const lines = [...this.known.values()].sort((one, other) => one.line - other.line);
    const had = this.list.contains(document.activeElement) ? [...this.list.children].indexOf(document.activeElement.closest("li")) : -1;
    this.list.replaceChildren(...lines.map((line) => {
      const item = document.createElement("li");
      const worth = document.createElement("strong");
      worth.textContent = line.score;
      const depth = document.createElement("span");
      depth.className = "depth";
      depth.textContent = `${Math.round(100 * line.expected)} %, depth ${line.depth}`;
      const left = document.createElement("span");
      left.append(worth, depth);
      const button = document.createElement("button");
      button.append(document.createElement("span"));
      button.firstChild.textContent = line.text;
      button.title = "Play the first move of this line";
      button.onclick = () => this.onMove(line.moves[0]);
      item.append(left, button);
      return item;
    }));
    this.list.children[had]?.querySelector("button").focus();
    this.board.arrows(lines.map((line) => line.moves[0]).filter(Boolean));
  }
}
