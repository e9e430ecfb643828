// The game of this tab as the server describes it: a tree of moves, the line on the board, the position shown. It is
// kept in the tab's session storage as PGN, so neither a reload nor another server loses anything.

const KEY = "sssnake-game";
export const OPEN_FILE = "sssnake-file"; // in the tab's storage: the text that the list of games is of
const KEPT = ["tab", "side", "level", "elo", "time", "minutes", "increment", "clocks", "over", "flipped", "engineOn", "lines", "playing",
  "own", "pgn", "sound", "depth", "key", "stamp", "at", "begun", "branch", "number_of_game", "draft"];

export class Game {
  constructor() {
    Object.assign(this, {
      tab: "play", side: "white", level: "club player", elo: 1500, time: "", minutes: 10, increment: 5, clocks: null, over: null,
      flipped: false, engineOn: true, lines: 3, playing: true, own: true, pgn: "", sound: true, depth: "30000", key: Date.now(), begun: false,
      branch: false, // played from a position of a game that was there
      partly: 0, // it was changed, and `pgn` does not have it yet: which change
      path: [], ply: 0, tags: {}, changes: 0,
      opened: 0, // games so far: what was meant for one is not for the next
      number_of_game: 1, // in the text that is open
      draft: null, // a comment that was being written when the page was left
    });
    this.plant({ tree: [], tags: {}, first: { number: 1, black: false } });
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
      for (const name of [...KEPT, "path", "ply"]) if (name in kept) this[name] = kept[name];
    } catch { /* no storage, or not ours: a new game */ }
  }

  save() {
    const kept = Object.fromEntries(KEPT.map((name) => [name, this[name]]));
    const text = JSON.stringify({ ...kept, path: this.path, ply: this.ply });
    try { sessionStorage.setItem(KEY, text); } catch { this.squeeze(text); }
  }

  // The storage is full: the game needs the place more than the file that it is out of.
  squeeze(text) {
    try {
      sessionStorage.removeItem(OPEN_FILE);
      sessionStorage.setItem(KEY, text);
    } catch { /* then a reload begins anew */ }
  }

  // The whole game, as the server tells it. `path`: moves of the line on the board, as far as they are there.
  take(state, path = [], ply = path.length) {
    this.wanted = null;
    this.plant(state);
    this.written("", state.pgn);
    this.follow(path, ply);
  }

  // pgn: undefined for a long game, which keeps what was written `before`.
  written(before, pgn) { Object.assign(this, { pgn: pgn ?? before, partly: pgn === undefined ? ++this.changes : 0 }); }

  // Put a line on the board, as far as the tree has it. The server does not have it yet after a reload: then it is wanted.
  follow(path, ply = path.length) {
    if (this.wanted) {
      Object.assign(this, { wanted: path, ply });
      return;
    }
    this.line = [this.root];
    for (const move of path) {
      const next = this.line.at(-1).next.find((one) => one.move === move);
      if (!next) break;
      this.line.push(next);
    }
    if (!this.played) this.lengthen();
    this.ply = Math.min(ply, this.line.length - 1);
    this.save();
  }

  plant({ tree, tags, comment = "", first, remark = "", start = {}, chess960 = false }) {
    this.root = { id: 0, next: [], comment, ...start };
    this.nodes = new Map([[0, this.root]]);
    this.line = [this.root];
    Object.assign(this, { tags, first, remark, chess960, changed: true });
    for (const entry of tree) this.enter(entry);
  }

  enter(entry) {
    const parent = this.nodes.get(entry.parent);
    const one = { nags: [], ...entry, parent, next: [], ply: (parent.ply ?? 0) + 1 };
    parent.next.push(one);
    this.nodes.set(one.id, one);
    this.changed = true;
    return one;
  }

  // The answer to a move: it is in the tree now, and shown.
  made({ entry, tags, pgn }) {
    const one = this.nodes.get(entry.id) ?? this.enter(entry);
    if (tags) {
      this.tags = tags;
      this.written(this.pgn, pgn);
    }
    this.choose(one);
  }

  lengthen() { for (let one = this.line.at(-1).next[0]; one; one = one.next[0]) this.line.push(one); }

  // Show the position after a move of the tree; the line goes on from there by main moves.
  choose(one) {
    let ply = this.line.indexOf(one);
    if (ply < 0 || (this.played && one.next.length)) {
      this.line = [];
      for (let above = one; above; above = above.parent) this.line.unshift(above);
      ply = this.line.length - 1;
      if (!this.played) this.lengthen();
    }
    this.ply = ply;
    this.save();
  }

  // The other moves at the place of the move shown, in a circle: the one `steps` further, if there is one.
  beside(steps) {
    const { here } = this, all = here.parent?.next ?? [];
    return all.length > 1 ? all[(all.indexOf(here) + steps + all.length) % all.length] : null;
  }

  number(one) {
    const half = one.ply - 1 + (this.first.black ? 1 : 0);
    return `${this.first.number + Math.floor(half / 2)}${half % 2 ? "…" : "."}`;
  }

  get played() { return this.playing && this.tab === "play"; } // its line ends where it is played
  get here() { return this.line[this.ply]; }
  get end() { return this.line.at(-1); }
  get plies() { return this.line.length - 1; }
  get atEnd() { return this.ply === this.plies; }
  get path() { return this.wanted ?? this.line.slice(1).map(({ move }) => move); }
  set path(moves) { this.wanted = moves; }
  get isMain() { return this.line.every((one) => !one.parent || one.parent.next[0] === one); }
  get worth() { return Object.fromEntries(this.line.flatMap((one, ply) => (one.expected === undefined ? [] : [[ply, one]]))); }
  get toMove() { return (this.plies + this.first.black) % 2 ? "black" : "white"; }
}
