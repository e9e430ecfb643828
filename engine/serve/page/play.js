// A game against the engine: begun, moves of the engine, clocks, its end.

import { Clocks } from "./clock.js";
import { attempt, confirmed, find, other, say } from "./ui.js";

export const LEVELS = {
  beginner: "850", "casual player": "1200", "club player": "1600", "strong club player": "2000", master: "2400", "full strength": "",
};
const CUSTOM = "custom";

export class Play {
  // page: { show, made, settled, players, kept }
  constructor(game, link, page) {
    Object.assign(this, { game, link, page });
    this.clocks = new Clocks(() => this.places(), attempt((side) => this.flagged(side)));
    const names = Object.keys(LEVELS).map((name) => new Option(LEVELS[name] ? `${name} (${LEVELS[name]})` : name, name));
    find("level").append(...names, new Option("another Elo", CUSTOM));
    for (const name of ["level", "time", "elo", "minutes", "increment"]) {
      find(name).value = game[name];
      find(name).onchange = ({ target }) => { if (target.checkValidity()) { this.set(name, target); } };
    }
    find("colour").value = game.side;
    if (game.clocks) this.clocks.set(game.clocks.left, game.clocks.increment);
    this.options();
    find("new").onsubmit = (event) => { event.preventDefault(); attempt(() => this.begin(find("variant").value))(); };
    find("from-here").onclick = attempt(() => this.begin("here"));
    find("resign").onclick = attempt(() => this.resign());
    find("offer").onclick = attempt(() => this.offer());
    addEventListener("pagehide", () => { this.pause(); this.keep(); }); // as if it were loaded again, should the browser keep it whole
    addEventListener("pageshow", ({ persisted }) => { if (persisted) this.page.show(); });
  }

  set(name, target) {
    this.game[name] = target.type === "number" ? Number(target.value) : target.value;
    this.options();
    this.game.save();
    this.page.players();
  }

  // What is not asked for is disabled, too: a wrong value in it would stop the form without a word.
  options() {
    find("elo").disabled = find("elo").parentElement.hidden = find("level").value !== CUSTOM;
    find("own-clock").disabled = find("own-clock").hidden = find("time").value !== CUSTOM;
  }

  get strength() { return this.game.level === CUSTOM ? `Elo ${this.game.elo}` : this.game.level; }
  get name() { return `SSSnake, ${this.strength}${LEVELS[this.game.level] ? ` (${LEVELS[this.game.level]})` : ""}`; }

  // Whether a game is under way that would be lost.
  get running() { return this.game.playing && this.game.begun && !this.game.over; }

  sure(question, yes) { return this.running ? confirmed(question, yes) : Promise.resolve(true); }

  // start: "" the usual position, "chess960", "here": the position shown.
  async begin(start = "") {
    const { game, clocks } = this, branch = start === "here";
    if (!find("new").reportValidity()) return;
    if (!await this.sure("The game under way ends without a result. Begin another one?", "New game")) return;
    const colour = find("colour").value, level = find("level").value, time = find("time").value;
    const side = colour === "random" ? (Math.random() < 0.5 ? "white" : "black") : colour;
    const [base, increment] = time === CUSTOM ? [60 * game.minutes, game.increment] : time.split(" ").map(Number);
    Object.assign(game, { level, time });
    await this.page.settled();
    await this.link.inTurn(async () => {
      await this.link.stop();
      const tags = { [side === "white" ? "White" : "Black"]: "You", [side === "white" ? "Black" : "White"]: this.name,
        TimeControl: base ? `${base}+${increment ?? 0}` : "-" };
      const state = branch ? null : await this.link.ask("new", { ...(start ? { start } : {}), tags });
      this.started(state, { side, flipped: side === "black", branch });
      clocks.set(base ? { white: 1000 * base, black: 1000 * base } : null, 1000 * (increment ?? 0));
      this.keep();
    });
    say(`New game: you have ${side}`);
    return this.page.show();
  }

  // All at once: until then the game before goes on. state: of a new game; null: it goes on from the position shown.
  started(state, how) {
    const { game } = this;
    Object.assign(game, { ...how, over: null, playing: true, begun: false, at: null, tab: "play", opened: game.opened + 1 });
    if (!state) game.line = game.line.slice(0, game.ply + 1); // what follows stays as variations
    else {
      Object.assign(game, { own: true, key: Date.now(), stamp: undefined });
      game.take(state);
    }
  }

  async resign() {
    const { game } = this;
    if (!await confirmed("Resign this game?", "Resign") || !game.playing || game.over) return; // it may have ended meanwhile
    return this.end(game.side === "white" ? "0-1" : "1-0", `${game.side} resigned`);
  }

  async offer() {
    await this.page.settled();
    if (find("offer").disabled) return; // a move was on its way
    find("offer").disabled = true;
    await this.link.work("offer", { node: this.game.end.id, side: this.game.side }, attempt(async (event) => {
      if (event.event === "failed") throw new Error(event.error);
      if (event.event !== "offer") return;
      this.link.job = null;
      if (event.taken) return this.end("1/2-1/2", "draw agreed");
      say("SSSnake declines the draw");
      find("note").textContent = "SSSnake declines the draw.";
      find("offer").disabled = false;
    }));
  }

  async flagged(side) {
    const { opened, end } = this.game, { bare } = await this.link.ask("position", { node: end.id }); // another one may be shown
    if (bare[other(side)]) return this.end("1/2-1/2", "time, insufficient material", opened);
    return this.end(side === "white" ? "0-1" : "1-0", `${side} ran out of time`, opened);
  }

  async end(score, reason, opened = this.game.opened) {
    const { game } = this;
    await this.page.settled(); // a move may be on its way, and end it
    if (game.over || game.opened !== opened) return undefined; // the first end counts
    this.clocks.stop(undefined, false);
    game.over = { score, reason, path: game.path.join() };
    this.keep();
    say(`${score}: ${reason}`);
    await this.link.stop();
    await this.link.inTurn(async () => {
      const answer = await this.link.ask("end", { node: game.end.id, score, reason, played: !game.branch });
      game.take(answer, game.path, game.ply); // where one has gone meanwhile
    });
    this.page.kept();
    return this.page.show();
  }

  keep() {
    const { clocks } = this;
    this.game.clocks = clocks.left && { left: { white: clocks.now("white"), black: clocks.now("black") }, increment: clocks.increment };
    this.game.save();
  }

  pause() {
    if (!this.clocks.running) return;
    this.clocks.stop(undefined, false);
    this.keep();
  }

  places() {
    const near = this.game.flipped ? "black" : "white";
    return { [near]: find("near").lastElementChild, [other(near)]: find("far").lastElementChild };
  }

  // The seconds left to a side, for the game's record.
  seconds(side) { return this.clocks.left ? { seconds: Math.floor(Math.max(0, this.clocks.now(side)) / 1000) } : {}; }

  get thinks() { return this.link.job?.what === "play" && this.link.job.node === this.game.end.id; }

  async engineMoves() {
    const { game, clocks, link } = this, asked = game.end;
    if (this.thinks) return;
    const clock = clocks.left && {
      wtime: Math.round(clocks.now("white")), btime: Math.round(clocks.now("black")), winc: clocks.increment, binc: clocks.increment,
    };
    const strength = game.level === CUSTOM ? { elo: game.elo } : { level: game.level };
    await link.work("play", { node: asked.id, ...strength, clock }, attempt(async (event) => {
      if (event.event === "failed") throw new Error(event.error);
      if (event.event === "started") clocks.start(other(game.side));
      if (event.event !== "move" || asked.id !== game.end.id || game.over) return; // (the number: a change makes all moves anew)
      link.job = null;
      clocks.stop(event.ms);
      this.keep();
      game.ply = game.plies;
      await this.page.made(event.move, this.seconds(other(game.side)));
    }));
  }
}
