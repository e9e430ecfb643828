// The game of this tab. It is kept in the tab's session storage, so a reload loses nothing.

const KEY = "sssnake-game";

export class Game {
  constructor() {
    Object.assign(this, {
      start: null, moves: [], ply: 0, tab: "play", side: "white", level: "club player", time: "", clocks: null,
      over: null, flipped: false, engineOn: true, lines: 3, worth: {}, players: {},
    });
    try {
      Object.assign(this, JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
    } catch { /* no storage, or not ours: a new game */ }
  }

  save() {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(this));
    } catch { /* then a reload begins anew */ }
  }

  begin(start = null, moves = [], players = {}) {
    Object.assign(this, { start, moves, ply: moves.length, over: null, worth: {}, players });
    this.save();
  }

  // A move in the position shown; what came after it is dropped.
  push(move) {
    this.cut(this.ply);
    this.moves.push(move);
    this.ply = this.moves.length;
    this.save();
  }

  cut(ply) {
    this.moves.length = Math.min(ply, this.moves.length);
    this.ply = Math.min(this.ply, this.moves.length);
    this.over = null;
    for (const known of Object.keys(this.worth)) if (known > ply) delete this.worth[known];
    this.save();
  }

  get atEnd() { return this.ply === this.moves.length; }
  get request() { return { start: this.start, moves: this.moves }; }
  get shown() { return { start: this.start, moves: this.moves.slice(0, this.ply) }; }
}
