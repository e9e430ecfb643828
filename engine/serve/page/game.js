// The game of this tab, a tree: moves made from an earlier position are variations. `moves` is the line on the
// board, from the start to its end, `ply` the position shown. It is kept in the tab's session storage, so a
// reload loses nothing.

const KEY = "sssnake-game-tree";

const node = (parent, move = null, san = "", worth = null) => ({ parent, move, san, worth, next: [] }); // next[0]: the main line

function mainMoves(one) {
  const moves = [];
  for (let below = one.next[0]; below; below = below.next[0]) moves.push(below.move);
  return moves;
}

export class Game {
  constructor() {
    Object.assign(this, {
      start: null, moves: [], ply: 0, tab: "play", side: "white", level: "club player", time: "", clocks: null,
      over: null, flipped: false, engineOn: true, lines: 3, players: {},
    });
    this.root = node(null);
    try {
      const { tree = [], ...kept } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
      Object.assign(this, kept);
      this.plant(tree);
    } catch { /* no storage, or not ours: a new game */ }
  }

  save() {
    try {
      const { root, ...kept } = this;
      sessionStorage.setItem(KEY, JSON.stringify({ ...kept, tree: this.tree }));
    } catch { /* then a reload begins anew */ }
  }

  begin(start = null, moves = [], players = {}, tree = moves.map((move, ply) => [ply, move, ""])) {
    Object.assign(this, { start, moves, ply: moves.length, over: null, players });
    this.plant(tree);
    this.save();
  }

  // The tree as a list, main lines first: for each move the number of the one before it, the move, its SAN, its worth.
  get tree() {
    const list = [], rest = [[this.root, 0]];
    for (let number = 0; rest.length; number++) {
      const [one, before] = rest.pop();
      if (number) list.push([before, one.move, one.san, one.worth]);
      for (const child of [...one.next].reverse()) rest.push([child, number]);
    }
    return list;
  }

  plant(tree) {
    this.root = node(null);
    const nodes = [this.root];
    for (const [before, ...values] of tree) {
      const one = node(nodes[before], ...values);
      one.parent.next.push(one);
      nodes.push(one);
    }
  }

  // The nodes of the line on the board; the first is the start.
  get line() {
    const found = [this.root];
    for (const move of this.moves) found.push(found.at(-1).next.find((one) => one.move === move));
    return found;
  }

  get here() { return this.line[this.ply]; }

  // Show the position after a move of the tree; the line goes on from there by main moves.
  choose(one) {
    const ply = this.line.indexOf(one);
    if (ply < 0) {
      const moves = [];
      for (let above = one; above.parent; above = above.parent) moves.unshift(above.move);
      this.moves = [...moves, ...mainMoves(one)];
      this.ply = moves.length;
    } else this.ply = ply; // it is on the line
    this.save();
  }

  // A move in the position shown: one of the tree, or a new variation.
  push(move) {
    const { here } = this;
    let one = here.next.find((known) => known.move === move);
    if (!one) {
      one = node(here, move);
      here.next.push(one);
      this.over = null;
    }
    this.choose(one);
  }

  // Drop the line's move after so many plies, and all that follows it.
  cut(ply) {
    const above = this.line[ply];
    if (!above || ply === this.moves.length) return;
    above.next = above.next.filter((one) => one.move !== this.moves[ply]);
    this.moves = [...this.moves.slice(0, ply), ...mainMoves(above)];
    this.ply = Math.min(this.ply, ply);
    this.over = null;
    this.save();
  }

  // Make the line on the board the main line.
  promote() {
    for (const one of this.line.slice(1)) one.parent.next = [one, ...one.parent.next.filter((other) => other !== one)];
    this.save();
  }

  // The other moves at the place of the move shown, in a circle: the one `steps` further, if there is one.
  beside(steps) {
    const { here } = this, all = here.parent?.next ?? [];
    return all.length > 1 ? all[(all.indexOf(here) + steps + all.length) % all.length] : null;
  }

  get isMain() { return this.line.every((one) => !one.parent || one.parent.next[0] === one); }

  get main() { return mainMoves(this.root); }
  get worth() { return Object.fromEntries(this.line.flatMap((one, ply) => (one.worth ? [[ply, one.worth]] : []))); }
  get atEnd() { return this.ply === this.moves.length; }
  get request() { return { start: this.start, moves: this.moves }; }
  get shown() { return { start: this.start, moves: this.moves.slice(0, this.ply) }; }
}
