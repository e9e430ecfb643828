// The page: the board, what is done with it, and the three things that the server can work at.

import { About } from "./about.js";
import { bar } from "./bar.js";
import { Board } from "./board.js";
import { Files } from "./files.js";
import { Game } from "./game.js";
import { showGraph } from "./graph.js";
import { help } from "./help.js";
import { listen } from "./keys.js";
import { Lines } from "./lines.js";
import { Link } from "./link.js";
import { MARKS, Moves } from "./moves.js";
import { Play } from "./play.js";
import { Review } from "./review.js";
import { Setup } from "./setup.js";
import { attempt, complain, confirmed, find, lasts, other, say, sound } from "./ui.js";
import { Watch } from "./watch.js";
import { capital, inWords, meant, spoken } from "./words.js";

const TABS = ["play", "analyse", "watch"];
const SOON = 1000; // milliseconds after the last change of a long game
const CALM = 150; // milliseconds between the last step through the moves and the work on the position

const game = new Game();
const link = new Link((trouble) => { lasts(trouble); if (!trouble && position) show(); }, queued, restore);
const board = new Board(find("board"), (move) => made(move));
const lines = new Lines(find("best"), board, game, (move) => made(move));
const page = { show, made, choose, judged, players, settled, lines, kept: () => files.keep() };
const moves = new Moves(find("moves"), choose);
const play = new Play(game, link, page);
const review = new Review(game, link, page);
const files = new Files(game, link, { load: (...whose) => load(...whose), settled });
const watch = new Watch(link, say);
const about = new About(game, (what, fields) => change(what, fields));
let position = null; // the one shown, as the server describes it, `of` a move
let showing = null, again = false; // a position is asked for, and has changed since
let moving = null; // a move of the player is under way to the server

// The search waits for its place, or no longer. An analysis waits again and again: that is said aloud once.
function queued(waits) {
  find("queue").hidden = !waits;
  if (waits && queued.said !== link.job) say(find("queue").textContent);
  if (waits) queued.said = link.job;
}

// Give a new server, or the same one after a reload, the tab's game.
async function restore(ask) {
  files.there = false;
  const { path, ply, pgn, own, draft } = game;
  game.draft = null;
  try {
    game.take(pgn ? await ask("load", { text: pgn, own }) : await ask("new", { tags: names() }), path, ply);
    if (draft !== null) game.take(await ask("comment", { node: game.here.id, text: draft }), path, ply);
  } catch (error) { complain(error); }
}

const names = () => ({ [capital(game.side)]: "You", [capital(other(game.side))]: play.name });

// Showing the game.

function result() {
  if (game.over && game.atEnd && game.over.path === game.path.join()) return game.over;
  const found = position?.result;
  if (found && (found.final || game.playing)) return found;
  const told = game.tags.Result;
  return !(game.own && game.playing) && game.isMain && game.plies && game.atEnd && told && told !== "*" ? { score: told, reason: game.tags.Termination ?? "" } : null;
}

const playing = () => game.tab === "play" && game.playing && !game.over;

function mayMove() {
  if (game.tab === "play") return playing() && game.atEnd && position.turn === game.side;
  return !position.result?.final;
}

function show() {
  again = true;
  showing ??= attempt(showAll)();
  return showing;
}

async function showAll() {
  try {
    while (again) {
      again = false;
      await link.ready; // the tab's game is there
      const { here } = game;
      const found = await link.ask("position", { node: here.id }).catch((error) => { if (here === game.here) throw error; });
      again ||= here !== game.here; // a move was made meanwhile, or another game opened
      if (again) continue;
      position = { ...found, of: here };
      board.forget();
      render();
    }
  } finally {
    showing = null; // at once: whoever calls `show` from here on must not be missed
  }
  follow();
}

function render() {
  const ended = game.played && game.atEnd && position.result;
  if (ended) game.over ??= { score: ended.score, reason: ended.reason, path: game.path.join() };
  if (game.partly) complete();
  const premove = playing() && game.atEnd && position.turn !== game.side ? game.side : undefined;
  board.show(position, game.flipped, mayMove(), premove);
  moves.show(game);
  drawGraph();
  find("opening").textContent = position.opening;
  find("status").textContent = status();
  find("note").textContent = claim();
  find("words").lastElementChild.textContent = inWords(position.fen);
  find("board").setAttribute("role", "img");
  find("board").setAttribute("aria-label", `Chess board. ${capital(position.turn)} to move.`);
  buttons();
  players();
  about.show();
  review.show();
  bar(game, game.here);
  document.title = `${status()} – SSSnake`;
}

function buttons() {
  const start = !game.ply, over = !playing(), mine = !over && game.atEnd && position.turn === game.side;
  const dead = { first: start, back: start, forth: game.atEnd, latest: game.atEnd, promote: game.isMain, review: !game.root.next.length || review.running,
    undo: game.tab === "play" ? !game.plies || !game.playing : start, resign: over || !game.plies, offer: over || !game.plies || !mine, hint: !mine,
    "from-here": Boolean(position.result?.final) };
  for (const [id, is] of Object.entries(dead)) find(id).disabled = is;
  find("graph-box").hidden = (game.tab === "play" && playing()) || (Object.keys(game.worth).length < 2 && !review.running);
  find("annotate").hidden = game.tab === "play" && playing();
}

function status() {
  const over = result();
  if (over) return `${over.score.replace("1/2-1/2", "½–½").replace("-", "–")}${over.reason ? `: ${over.reason}` : ""}`;
  const check = position.check ? ", check" : "";
  if (game.tab === "play" && !game.playing) return "Nobody plays here yet: choose who, and “Play from here” or “New game”";
  if (game.tab !== "play" || !game.atEnd) return `${capital(position.turn)} to move${check}`;
  return position.turn === game.side ? `Your move${check}` : "The engine is thinking …";
}

// A draw that could be claimed ends a game that is played; an analysis goes on.
const claim = () => (position.result && !position.result.final && !game.playing ? `A draw by ${position.result.reason} could be claimed.` : "");

function players() {
  const named = { white: game.tags.White, black: game.tags.Black };
  if (game.playing && game.tab === "play") Object.assign(named, { [game.side]: game.own ? "You" : named[game.side], [other(game.side)]: play.name });
  const near = game.flipped ? "black" : "white", shown = (side) => (named[side] && named[side] !== "?" ? named[side] : capital(side));
  find("near").firstElementChild.textContent = shown(near);
  find("far").firstElementChild.textContent = shown(other(near));
  play.clocks.draw();
}

function drawGraph() { showGraph(find("graph"), game.worth, game.plies, game.ply, goTo); }

function goTo(ply) {
  if (game.wanted) return undefined; // it is not there yet
  game.ply = Math.max(0, Math.min(game.plies, ply));
  game.save();
  say(where());
  return show();
}

// The move that has led to the position shown, in words.
function where() {
  if (!game.ply) return "The first position";
  const { here } = game, number = game.number(here), marks = here.nags.map((nag) => MARKS[nag]).filter(Boolean);
  return [`Move ${parseInt(number)}, ${number.endsWith(".") ? "White" : "Black"}: ${spoken(here.san)}`, ...marks].join(", ");
}

function choose(one) {
  game.choose(one);
  return show();
}

// The next variation at the move shown.
function beside(steps) {
  const one = game.beside(steps);
  if (one) say(`Variation: ${spoken(one.san)}`);
  return one ? choose(one) : undefined;
}

// What was pressed before is done, and shown: a server may be far away.
async function settled() {
  await link.turn;
  if (!link.why && !(position && position.of === game.here)) await showing;
}

// A change of the game by the server, in its turn; the line on the board stays as far as it can.
async function changed(what, fields, path, ply) {
  const { remark } = game, answer = await link.ask(what, fields);
  game.take(answer, path ?? game.path, ply ?? game.ply); // where one has gone meanwhile
  game.remark ||= remark;
  files.keep();
}

const change = attempt(async (what, fields) => {
  const { opened } = game;
  await link.inTurn(() => {
    if (opened !== game.opened) throw new Error("Another game was opened meanwhile: this was not written");
    return changed(what, fields);
  });
  return show();
});

// A long game does not come as PGN with every change: it is asked for when there is time, to outlast a reload.
function complete() {
  clearTimeout(complete.timer);
  complete.timer = setTimeout(attempt(async () => {
    const { partly } = game, { pgn } = await link.ask("pgn");
    if (partly !== game.partly) return; // changed meanwhile: it is asked for again
    Object.assign(game, { partly: 0, pgn });
    game.save();
    files.keep();
  }), SOON);
}

// A move, by the mouse, by keys, or out of a line; of the engine, with its clock.

async function made(move, seconds) {
  if (!seconds) {
    const { fen } = position; // which the move was meant for
    await settled();
    if (moving || position.fen !== fen || !mayMove()) return show();
    if (game.tab === "play") { play.clocks.stop(); play.keep(); seconds = play.seconds(position.turn); game.begun = true; }
  }
  const { opened, here, tab } = game, path = game.path.slice(0, game.ply); // one may go elsewhere meanwhile
  moving = link.inTurn(() => (opened === game.opened ? entered(move, { here, tab, path }, seconds) : undefined));
  await moving;
  moving = null;
}

async function entered(move, { here, tab, path }, seconds) {
  try {
    const played = tab === "play" && !game.branch, answer = await link.ask("move", { node: here.id, text: move, played, ...seconds });
    path.push(answer.entry.move);
    if (answer.tree) game.take(answer, path);
    else game.made(answer);
    if (tab === "play" && game.tab !== tab) game.at = path; // there it goes on
    position = { ...answer, of: game.here };
    const side = other(position.turn), who = tab === "play" && side !== game.side ? "SSSnake" : capital(side), { result } = position;
    say(`${who}: ${spoken(answer.entry.san)}${result?.final ? `. ${result.score}: ${result.reason}` : ""}`);
    if (game.sound) sound(position.result ? "end" : position.check ? "check" : answer.entry.san.includes("x") ? "capture" : "move");
    files.keep();
    render();
    follow();
  } catch (error) { complain(error); show(); }
}

const typed = attempt(async () => {
  await settled(); // keys are faster than a server far away
  const text = find("san").value;
  if (!text.trim() || !position) return;
  if (!mayMove()) throw new Error(game.atEnd ? "It is not your move" : "Go to the latest position to move");
  const { move, all, promotes } = meant(text, position.legal);
  if (!move && !promotes) throw new Error(`“${text.slice(0, 12)}” is ${all.length ? "more than one move" : "not a legal move"} here`);
  find("san").value = "";
  find("san").blur(); // the arrow keys go through the moves again
  const chosen = move ?? await board.promote(all);
  if (chosen) await made(chosen);
});

// What the server works at: it follows from the tab and the position.

function follow() {
  clearTimeout(follow.timer);
  lines.clear();
  link.mute();
  follow.timer = setTimeout(refresh, game.tab === "play" ? 0 : CALM);
}

const refresh = attempt(async () => {
  await settled();
  const { here } = game;
  await work().catch((error) => { if (here === game.here) throw error; }); // else the position is no more
});

async function work() {
  if (game.tab !== "watch") watch.leave();
  if (playing() && game.toMove !== game.side && game.atEnd) return play.engineMoves();
  if (game.tab === "play") {
    if (playing() && play.thinks) return undefined; // looking back meanwhile
    if (playing() && game.toMove === game.side) play.clocks.start(game.side); // also for one who looks back
    if (!playing() && game.playing && game.own && game.atEnd && game.plies && !game.tags.WhiteAccuracy && !review.running && !review.done?.has(game.key)) {
      (review.done ??= new Set()).add(game.key);
      return review.run();
    }
    return review.running || link.asked(game.here) ? undefined : link.stop();
  }
  if (game.tab === "analyse") return analyse();
  find("lab").href = `lab?${new URLSearchParams({ fen: position.fen, depth: 2, ...(game.chess960 ? { chess960: "" } : {}) })}`;
  return watch.run({ node: game.here.id }, position);
}

async function analyse() {
  lines.clear();
  if (review.running) return; // its end leads back here
  if (!game.engineOn || !position.searchable) return link.stop();
  const one = game.here;
  await link.work("analyse", { node: one.id, lines: game.lines }, (event) => {
    if (event.event === "failed") settled().then(() => { if (one === game.here) complain(event.error); }); // else the position is no more
    if (event.event !== "line") return;
    lines.add(event);
    if (event.line === 1 && one === game.here) bar(game, event);
  });
}

const hint = attempt(async () => {
  await settled();
  if (find("hint").disabled) return;
  hint.best = null;
  await link.work("analyse", { node: game.here.id, lines: 1, hint: true }, (event) => {
    if (event.event === "line") hint.best = event;
    if (event.event !== "done" || !hint.best) return;
    link.job = null;
    board.arrows([hint.best.moves[0]]);
    const san = position.legal[hint.best.moves[0]];
    find("note").textContent = `Hint: ${san}`;
    say(`Hint: ${spoken(san)}`);
  });
});

function judged() {
  judged.drawn ||= requestAnimationFrame(() => { judged.drawn = 0; drawGraph(); buttons(); });
}

// Taking back, flipping, making a line the main one.

async function undo() {
  await settled(); // the move to be taken back may still be on its way to the server
  const { here, tab } = game, after = many(here) - 1;
  if (tab !== "play" && here.parent && after > 1) {
    if (!await confirmed(`Take back ${game.number(here)} ${here.san} and the ${after} moves after it?`, "Take back")) return undefined;
  }
  await link.inTurn(() => (tab === "play" ? takenBack() : game.ply && cut(game.here, game.path.slice(0, game.ply - 1))));
  say(`Taken back. ${where()}`);
  return show();
}

// To where it was the player's turn before.
async function takenBack() {
  const { path, line } = game, left = Math.max(0, game.plies - (game.toMove !== game.side ? 1 : 2));
  play.clocks.stop(undefined, false);
  game.over = null;
  await link.stop();
  if (game.branch) game.follow(path.slice(0, left)); // it stays as a variation of the game that was there
  else if (line[left + 1]) await cut(line[left + 1], path.slice(0, left));
}

const cut = (one, path) => changed("cut", { node: one.id }, path, path.length);

// How many moves there are from one on, with all variations.
function many(one) {
  let count = 0;
  for (const rest = [one]; rest.length; count++) rest.push(...rest.pop().next);
  return count;
}

async function promote() {
  await link.inTurn(() => changed("promote", { node: game.end.id }));
  say("This is the main line now");
  return show();
}

function flip() {
  game.flipped = !game.flipped;
  game.save();
  if (position) render();
}

// Loading.

// request: "load" with a text, or "choose" with a game of the one that is open.
const load = attempt(async (what, request, { own = false, key = Date.now(), stamp } = {}) => {
  if (!await play.sure("The game under way ends without a result. Load another one?", "Load")) return false;
  return link.inTurn(async () => {
    const answer = await link.ask(what, { ...request, own });
    link.forget(); // the server has ended it
    loaded(answer, own, key);
    Object.assign(game, { stamp });
    if (answer.games === 1) files.keep(); // one of many is kept when it is changed: looking through a file must not push others out
    return true;
  });
});

function loaded(answer, own, key) {
  play.clocks.set(null, 0);
  Object.assign(game, { playing: false, own, key, over: null, clocks: null, lost: null, begun: false, branch: false, at: null, opened: game.opened + 1 });
  game.take(answer, [], Infinity);
  game.ply = answer.tree.some(({ comment, before }) => comment || before) ? 0 : game.plies;
  files.titles(answer.titles ?? (answer.games > 1 ? files.all : []), answer.game);
  select("analyse");
  say(answer.tree.length ? `A game is loaded. ${where()}` : "A position is loaded");
}

// Tabs, the start.

function select(name) {
  if (game.tab !== name) play.pause();
  if (game.tab === "play" && name !== "play" && game.playing) game.at = game.path;
  const back = game.tab !== name && name === "play" && game.playing && game.at;
  game.tab = name;
  if (back) game.follow(game.at); // to the game that is played, from where it was looked at
  game.save();
  for (const tab of TABS) {
    const chosen = tab === name;
    find(tab).hidden = !chosen;
    find(`tab-${tab}`).setAttribute("aria-selected", chosen);
    find(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
  }
  document.body.dataset.tab = name;
  return show();
}

// The address may name a tab, once.
function named() {
  const wanted = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  return TABS.includes(wanted) ? wanted : game.tab;
}

function start() {
  find("lines").value = game.lines;
  find("thinking").checked = game.engineOn;
  find("sound").checked = game.sound;
  const setup = new Setup(attempt((fen) => files.take(fen)), (fen) => link.ask("position", { start: fen }));
  setup.from = () => position.fen;
  find("typed").onsubmit = (event) => { event.preventDefault(); typed(); };
  find("first").onclick = () => goTo(0);
  find("back").onclick = () => goTo(game.ply - 1);
  find("forth").onclick = () => goTo(game.ply + 1);
  find("latest").onclick = () => goTo(game.plies);
  find("undo").onclick = attempt(undo);
  find("flip").onclick = flip;
  find("promote").onclick = attempt(promote);
  find("hint").onclick = hint;
  find("thinking").onchange = (event) => { game.engineOn = event.target.checked; game.save(); refresh(); };
  find("lines").onchange = (event) => { game.lines = Number(event.target.value); game.save(); refresh(); };
  find("sound").onchange = (event) => { game.sound = event.target.checked; game.save(); };
  find("help-button").onclick = attempt(help);
  for (const tab of TABS) find(`tab-${tab}`).onclick = () => select(tab);
  listen(game, { tabs: TABS, select, goTo, beside });

  onhashchange = () => select(named());
  select(named());
}

start();
