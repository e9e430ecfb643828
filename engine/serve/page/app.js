// The page: the board, what is done with it, and the three things that the server can work at.

import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { Game } from "./game.js";
import { showGraph } from "./graph.js";
import { Lines } from "./lines.js";
import { Link } from "./link.js";
import { showMoves } from "./moves.js";
import { Watch } from "./watch.js";
import { capital, inWords, spoken } from "./words.js";

const LEVELS = {
  beginner: "850", "casual player": "1200", "club player": "1600", "strong club player": "2000", master: "2400", "full strength": "",
};
const TABS = ["play", "analyse", "watch"];
const find = (id) => document.getElementById(id);
const other = (side) => (side === "white" ? "black" : "white");

const game = new Game();
const link = new Link((trouble) => { find("trouble").textContent = trouble; if (!trouble && position) show(); }, queued);
const board = new Board(find("board"), (move) => made(move));
const lines = new Lines(find("best"), board, (move) => made(move));
const watch = new Watch(link, say);
const clocks = new Clocks(clockPlaces, flagged);
let position = null; // the one shown, as the server describes it
let showing = null, again = false; // a position is asked for, and has changed since

// Saying things.

function say(text) { find("spoken").textContent = text; }

// The search waits for its place, or no longer. An analysis waits again and again: that is said aloud once.
function queued(waits) {
  find("queue").hidden = !waits;
  if (waits && queued.said !== link.job) say(find("queue").textContent);
  if (waits) queued.said = link.job;
}

function complain(error) {
  find("trouble").textContent = error.message ?? error;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => { find("trouble").textContent = ""; }, 6000);
}

const attempt = (action) => async (...values) => {
  try { return await action(...values); } catch (error) { complain(error); }
};

// Showing the game.

const playing = () => game.tab === "play" && !result();
const result = () => (game.atEnd && position?.result) || game.over;
const mayMove = () => (game.tab === "play" ? playing() && game.atEnd && position.turn === game.side : !position.result);

const show = attempt(() => {
  again = true;
  showing ??= showAll();
  return showing;
});

async function showAll() {
  try {
    while (again) {
      again = false;
      const { line, ply } = game;
      position = await link.ask("position", { ...game.request, ply });
      position.sans.forEach((san, index) => { line[index + 1].san = san; });
      render();
    }
  } finally {
    showing = null; // at once: whoever calls `show` from here on must not be missed
  }
  follow();
}

function render() {
  board.show(position, game.flipped, mayMove());
  showMoves(find("moves"), game, position.first, choose);
  showGraph(find("graph"), game.worth, game.moves.length, game.ply, goTo);
  find("graph-box").hidden = game.tab === "play" && !result();
  find("opening").textContent = position.opening;
  find("status").textContent = status();
  find("words").lastElementChild.textContent = inWords(position.fen);
  find("board").setAttribute("role", "img");
  find("board").setAttribute("aria-label", `Chess board. ${capital(position.turn)} to move.`);
  for (const [id, dead] of [["first", !game.ply], ["back", !game.ply], ["forth", game.atEnd], ["latest", game.atEnd],
    ["undo", game.tab === "play" ? !game.moves.length : !game.ply], ["promote", game.isMain], ["resign", !playing() || !game.moves.length], ["review", !game.moves.length]]) find(id).disabled = dead;
  players();
  document.title = `${status()} – SSSnake`;
}

function status() {
  const over = result();
  if (over) return `${over.score.replace("1/2-1/2", "½–½").replace("-", "–")}: ${over.reason}`;
  const check = position.check ? ", check" : "";
  if (game.tab !== "play" || !game.atEnd) return `${capital(position.turn)} to move${check}`;
  return position.turn === game.side ? `Your move${check}` : "The engine is thinking …";
}

function players() {
  const engine = `SSSnake, ${game.level}${LEVELS[game.level] ? ` (${LEVELS[game.level]})` : ""}`;
  const names = game.tab === "play" && !Object.keys(game.players).length
    ? { [game.side]: "You", [other(game.side)]: engine }
    : { white: game.players.White ?? "White", black: game.players.Black ?? "Black" };
  const near = game.flipped ? "black" : "white";
  find("near").firstElementChild.textContent = names[near];
  find("far").firstElementChild.textContent = names[other(near)];
  clocks.draw();
}

function clockPlaces() {
  const near = game.flipped ? "black" : "white";
  return { [near]: find("near").lastElementChild, [other(near)]: find("far").lastElementChild };
}

const goTo = (ply) => {
  game.ply = Math.max(0, Math.min(game.moves.length, ply));
  game.save();
  return show();
};

const choose = (one) => {
  game.choose(one);
  return show();
};

// The next variation at the move shown.
const beside = (steps) => {
  const one = game.beside(steps);
  if (one) say(`Variation: ${spoken(one.san)}`);
  return one ? choose(one) : undefined;
};

function promote() {
  game.promote();
  say("This is the main line now");
  return show();
}

// A move, by the mouse, by keys, or out of a line.

const made = attempt(async (move) => {
  if (!mayMove()) return show();
  const san = position.legal[move];
  if (game.tab === "play") { clocks.stop(); keepClocks(); }
  game.push(move);
  say(`${capital(position.turn)}: ${spoken(san)}`);
  await show();
});

const typed = attempt(async () => {
  const text = find("san").value;
  if (!text.trim()) return;
  if (!mayMove()) throw new Error(game.atEnd ? "It is not your move" : "Go to the latest position to move");
  const { move } = await link.ask("move", { ...game.shown, text });
  find("san").value = "";
  await made(move);
});

// What the server works at: it follows from the tab and the position.

const CALM = 150; // milliseconds between the last step through the moves and the work on the position

function follow() {
  clearTimeout(follow.timer);
  lines.clear();
  link.mute();
  follow.timer = setTimeout(refresh, game.tab === "play" ? 0 : CALM);
}

const refresh = attempt(async () => {
  if (game.tab !== "watch") watch.leave();
  if (playing() && position.turn !== game.side && game.atEnd) return engineMoves();
  if (game.tab === "play") {
    if (playing() && thinks()) return undefined; // looking back meanwhile
    if (playing() && game.atEnd) clocks.start(position.turn);
    if (result() && game.moves.length && !(game.moves.length in game.worth)) return review();
    return link.job?.what === "review" && result() ? undefined : link.stop();
  }
  if (game.tab === "analyse") return analyse();
  document.getElementById("lab").href = `lab?${new URLSearchParams({ fen: position.fen, depth: 2 })}`;
  return watch.run(game.shown, position);
});

const thinks = () => link.job?.what === "play" && link.job.moves === game.moves.join();

async function engineMoves() {
  if (thinks()) return;
  const clock = clocks.left && {
    wtime: Math.round(clocks.now("white")), btime: Math.round(clocks.now("black")), winc: clocks.increment, binc: clocks.increment,
  };
  const asked = game.moves.join();
  await link.work("play", { ...game.request, level: game.level, clock }, attempt(async (event) => {
    if (event.event === "failed") throw new Error(event.error);
    if (event.event === "started") clocks.start(other(game.side));
    if (event.event !== "move" || asked !== game.moves.join() || game.over) return;
    link.job = null;
    clocks.stop(event.ms);
    keepClocks();
    game.ply = game.moves.length;
    game.push(event.move);
    say(`SSSnake: ${spoken(event.san)}`);
    await show();
  }));
}

async function analyse() {
  lines.clear();
  if (link.job?.what === "review" && link.job.moves === game.moves.join()) return; // its end leads back here
  if (!game.engineOn || position.result) return link.stop();
  const one = game.here;
  await link.work("analyse", { ...game.shown, lines: game.lines }, (event) => {
    if (event.event === "failed") return complain(event.error);
    if (event.event !== "line") return;
    lines.add(event);
    if (event.line === 1) judged(one, event);
  });
}

const review = attempt(async () => {
  lines.clear();
  find("review").disabled = true;
  const { line } = game;
  await link.work("review", game.request, (event) => {
    if (event.event === "evaluated") return judged(line[event.ply], event);
    link.job = null;
    if (event.event === "failed") complain(event.error);
    find("review").disabled = false;
    game.save();
    if (game.tab === "analyse") analyse();
  });
});

function judged(one, { score, expected }) {
  one.worth = { score, expected };
  if (!judged.drawn) {
    judged.drawn = requestAnimationFrame(() => {
      judged.drawn = 0;
      showGraph(find("graph"), game.worth, game.moves.length, game.ply, goTo);
    });
  }
}

// Games: new ones, undoing, giving up, the clock.

function newGame() {
  const colour = find("colour").value;
  Object.assign(game, { level: find("level").value, time: find("time").value });
  game.side = colour === "random" ? (Math.random() < 0.5 ? "white" : "black") : colour;
  game.flipped = game.side === "black";
  game.begin();
  const [base, increment] = game.time.split(" ").map(Number);
  clocks.set(base ? { white: 1000 * base, black: 1000 * base } : null, 1000 * (increment ?? 0));
  keepClocks();
  say(`New game: you have ${game.side}`);
  return show();
}

function keepClocks() {
  game.clocks = clocks.left && { left: { white: clocks.now("white"), black: clocks.now("black") }, increment: clocks.increment };
  game.save();
}

function flagged(side) {
  const drawn = position.bare[other(side)];
  end({ score: drawn ? "1/2-1/2" : side === "white" ? "0-1" : "1-0", reason: drawn ? "time, and nothing to mate with" : `${side} ran out of time` });
}

function end(over) {
  clocks.stop(undefined, false);
  game.over = over;
  keepClocks();
  say(`${over.score}: ${over.reason}`);
  return show();
}

function undo() {
  const mine = game.tab !== "play" || toMove() !== game.side || game.over ? 1 : 2;
  clocks.stop(undefined, false);
  game.cut(Math.max(0, (game.tab === "play" ? game.moves.length : game.ply) - mine));
  if (game.tab === "play") game.ply = game.moves.length;
  return link.stop().then(show);
}

// Whose turn it is at the end of the game, whatever position is shown.
const toMove = () => ((game.moves.length + position.first.black) % 2 ? "black" : "white");

function flip() {
  game.flipped = !game.flipped;
  game.save();
  render();
}

// FEN and PGN.

const load = attempt(async (number = 1) => {
  const text = find("text").value;
  if (text.length > 65536) throw new Error("Too long: a PGN of at most 64 kB is read");
  const { start, moves, tree, players: names, games } = await link.ask("load", { text, game: number });
  clocks.set(null, 0);
  game.begin(start, moves, names, tree);
  game.clocks = null;
  find("which").hidden = games < 2;
  find("which").lastElementChild.textContent = `of ${games}`;
  Object.assign(find("number"), { value: number, max: games });
  select("analyse");
  if (moves.length) { await show(); await review(); }
});

const copy = (field) => attempt(async () => {
  const names = [find("near"), find("far")].map((place) => place.firstElementChild.textContent);
  const [white, black] = game.flipped ? names.reverse() : names;
  const asked = field === "fen" ? game.shown : { start: game.start, moves: game.main, tree: game.tree.map(([before, move]) => [before, move]) };
  const answer = await link.ask("pgn", { ...asked, white, black, ...(game.over ? { result: game.over.score } : {}) });
  find("text").value = answer[field];
  find("text").select();
  await navigator.clipboard?.writeText(answer[field]).catch(() => {});
  say(`${field.toUpperCase()} copied`);
});

// Tabs and keys.

function select(name) {
  if (game.tab !== name && clocks.running) { clocks.stop(undefined, false); keepClocks(); }
  game.tab = name;
  game.save();
  for (const tab of TABS) {
    const chosen = tab === name;
    find(tab).hidden = !chosen;
    find(`tab-${tab}`).setAttribute("aria-selected", chosen);
    find(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
  }
  return show();
}

function tabKeys(event) {
  const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!turn) return;
  const next = TABS[(TABS.indexOf(game.tab) + turn + TABS.length) % TABS.length];
  event.stopPropagation();
  find(`tab-${next}`).focus();
  select(next);
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || find("promotion").open) return;
  if (event.target.matches("textarea, select, input:not([type=checkbox])")) return;
  const ply = { ArrowLeft: game.ply - 1, ArrowRight: game.ply + 1, Home: 0, End: game.moves.length }[event.key];
  if (ply !== undefined) {
    event.preventDefault();
    goTo(ply);
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    if (!game.beside(1)) return;
    event.preventDefault();
    beside(event.key === "ArrowUp" ? -1 : 1);
  } else if (/^[a-hKQRBNO]$/.test(event.key)) find("san").focus(); // the letter is typed there
}

function start() {
  find("level").append(...Object.keys(LEVELS).map((name) => new Option(LEVELS[name] ? `${name} (${LEVELS[name]})` : name, name)));
  Object.assign(find("level"), { value: game.level });
  find("colour").value = game.side;
  find("time").value = game.time;
  find("lines").value = game.lines;
  find("thinking").checked = game.engineOn;
  if (game.clocks) clocks.set(game.clocks.left, game.clocks.increment);

  find("new").onsubmit = (event) => { event.preventDefault(); attempt(newGame)(); };
  find("load").onsubmit = (event) => { event.preventDefault(); load(); };
  find("number").onchange = (event) => load(Number(event.target.value));
  find("typed").onsubmit = (event) => { event.preventDefault(); typed(); };
  find("resign").onclick = () => end({ score: game.side === "white" ? "0-1" : "1-0", reason: `${game.side} resigned` });
  find("first").onclick = () => goTo(0);
  find("back").onclick = () => goTo(game.ply - 1);
  find("forth").onclick = () => goTo(game.ply + 1);
  find("latest").onclick = () => goTo(game.moves.length);
  find("undo").onclick = attempt(undo);
  find("flip").onclick = flip;
  find("review").onclick = review;
  find("promote").onclick = promote;
  find("copy-fen").onclick = copy("fen");
  find("copy-pgn").onclick = copy("pgn");
  find("level").onchange = (event) => { game.level = event.target.value; game.save(); players(); };
  find("thinking").onchange = (event) => { game.engineOn = event.target.checked; game.save(); refresh(); };
  find("lines").onchange = (event) => { game.lines = Number(event.target.value); game.save(); refresh(); };
  for (const tab of TABS) find(`tab-${tab}`).onclick = () => select(tab);
  find("tabs").onkeydown = tabKeys;
  document.onkeydown = keys;
  addEventListener("pagehide", keepClocks);

  const wanted = location.hash.slice(1); // the address may name a tab, once
  history.replaceState(null, "", location.pathname);
  select(TABS.includes(wanted) ? wanted : game.tab);
}

start();
