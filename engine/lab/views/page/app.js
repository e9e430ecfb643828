// The page: what is shown at each step, and what keys, buttons and fields do.

const DATA = JSON.parse(document.getElementById("data").textContent);

const $ = (id) => document.getElementById(id);
const SHOWN = 200, DEEP = 40;  // entries of a long list, and of a long path
const CROWDED = 400;  // nodes; a larger tree is folded at first

let tree, trace, view, chess, final, shownTree, frame = 0, timer = null, picked = null, mode = "mtd";
const drawing = new Drawing($("tree"), $("overview"));

// The leaves' colours: from early (yellow) to late (violet), over those that are evaluated at all.
const hue = (rank, count = trace.leaves.length) => `hsl(${Math.round(48 - 138 * rank / Math.max(1, count - 1) + 360) % 360} 75% 62%)`;
const race = new Race($("lanes"), hue);
const page = { load: (next) => load(next), reload: () => begin(), show: (f) => show(f), refresh: (node) => refresh(node) };
const MODES = {
  gsearch: new GSearchMode(page), exercise: new ExerciseMode(page), window: new WindowMode(page), deepening: new DeepeningMode(page),
};
const here = () => MODES[mode] ?? sideBySide;

function load(next, boards = null) {
  tree = next;
  chess = boards;
  picked = null;
  trace = follow(tree);
  view = new View(tree, trace);
  final = { ...proofs(tree, trace.table, trace.value), visits: alphaBeta(tree).visited, minimax: minimaxValues(tree) };
  $("fold").innerHTML = '<option value="">nothing</option><option value="unseen">what SSS* never visits</option>'
    + Array.from({ length: Math.max(0, tree.depth - 1) }, (_, i) => `<option value="${i + 1}">below ply ${i + 1}</option>`).join("");
  $("text").value = textOf(tree);
  $("complaint").textContent = "";
  $("fold").value = tree.size > CROWDED ? "unseen" : "";
  $("early").style.background = hue(0);
  $("late").style.background = hue(trace.leaves.length - 1);
  race.load(tree, guess());
  begin();
}

// Shows the tree in the mode that is chosen, from the beginning.
function begin(at = 0) {
  for (const part of document.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== mode;
  for (const button of document.querySelectorAll("[data-mode]")) button.setAttribute("aria-selected", button.dataset.mode === mode);
  document.body.dataset.mode = mode;
  const name = Object.keys(DATA.trees).find((each) => textOf(parseTree(DATA.trees[each].tree)) === $("text").value);
  $("named").value = name ?? "";
  $("named-about").textContent = name ? DATA.trees[name].about : "";
  here().load(tree);
  $("slider").max = here().length;
  drawing.widest = here().wide ?? DX;
  shownTree = null;
  show(at);
}

function choose(name) {
  if (timer) play();
  mode = name;
  picked = null;
  begin();
}

// The nodes that a choice folds.
function foldedBy(choice) {
  const visited = new Set(trace.moves.map((move) => move.node));
  const folds = (node) => choice === "unseen" ? !visited.has(node) : tree.ply[node] === Number(choice);
  const nodes = [];
  if (choice) for (let node = 0; node < tree.size; node++) if (!isLeaf(tree, node) && folds(node)) nodes.push(node);
  return nodes;
}

function show(f) {
  frame = Math.max(0, Math.min(here().length, f));
  here().show(frame);
  document.body.dataset.frame = frame;
  $("slider").value = frame;
  $("first").disabled = $("back").disabled = frame === 0;
  $("last").disabled = $("forward").disabled = frame === here().length;
  refresh();
  history.replaceState(null, "", mode === "mtd" ? `#${frame}` : `#${mode}-${frame}`);
}

// Draws what the mode shows; `node` is brought onto the stage.
function refresh(node = here().view.move?.node) {
  if (shownTree !== here().view.tree) {
    shownTree = here().view.tree;
    drawing.load(shownTree, shownTree === tree ? chess?.moves : null, mode === "mtd" ? foldedBy($("fold").value) : []);
  }
  if (mode === "exercise") here().show();
  showLeaves();
  draw();
  if (node !== undefined) drawing.reveal(node);
  showNode();
}

function showLeaves() {
  const leaves = [...here().view.leaves.keys()], first = Math.max(0, leaves.length - SHOWN), names = here().view.tree.names;
  $("leaves").innerHTML = leaves.length ? `leaves evaluated${first ? ` (${leaves.length}, the last ${SHOWN})` : ""}: `
    + leaves.slice(first).map((leaf) => `<span>${names[leaf]}</span>`).join(" ") : "";
  $("leaves").querySelectorAll("span").forEach((span, i) => { span.style.background = hue(first + i, leafCount()); });
}

// Over how many leaves the colours are spread.
const leafCount = () => mode === "mtd" ? trace.leaves.length : Math.max(2, here().view.leaves.size);

// SSS* and MTD(+inf), side by side.
const sideBySide = {
  load() {},
  get length() { return trace.moves.length; },
  get view() { return view; },
  get marks() {
    return {
      lower: $("proof").checked ? final.lower : null, upper: $("proof").checked ? final.upper : null,
      visits: $("visits").checked ? final.visits : null, purged: $("purged").checked,
    };
  },
  show(f) {
    view.goTo(f);
    const { move } = view;
    $("turn").textContent = `step ${view.done} of ${trace.turns.length}`;
    $("case").innerHTML = told(tree, view);
    showOpen();
    $("deed").innerHTML = deed(tree, view);
    $("pass").textContent = `γ = ${text(trace.passes[view.pass - 1].gamma)}`;
    showPasses(move);
    $("stack").innerHTML = ending(view.stack).map((node) => `<li>${tree.names[node] ?? node}</li>`).join("");
    const bounds = [...view.table].sort(([a], [b]) => a - b);
    const from = Math.max(0, Math.min(bounds.findIndex(([node]) => node === move?.node) - SHOWN / 2, bounds.length - SHOWN));
    $("table").innerHTML = bounds.slice(from, from + SHOWN).map(([node, [lower, upper]]) =>
      `<tr class="${move?.node === node ? "now" : ""}"><td class="name">${tree.names[node]}</td><td>${text(lower)}</td><td>${text(upper)}</td></tr>`).join("");
    $("bracket").innerHTML = `<b>${text(view.lower)}</b> ≤ value ≤ <b>${text(view.upper)}</b>`;
  },
  // A stop is a move that does a step of SSS*, or the end of a pass; with "walks" every move is one.
  isStop: (f) => $("walks").checked || trace.moves[f - 1].turn !== null || (trace.moves[f - 1].node === 0 && trace.moves[f - 1].kind === "answer"),
  about(node) {
    const [lower, upper] = view.table.get(node) ?? [-INF, INF];
    const facts = [`MT’s table: ${text(lower)} … ${text(upper)}`, final.visits.has(node) ? "alpha-beta visits it" : "alpha-beta does not visit it"];
    if (view.purged.has(node)) facts.push("its state was purged");
    return facts.join(" · ");
  },
};

function showOpen() {
  const open = view.openList(), solved = view.done === trace.turns.length;
  $("count").textContent = solved ? "" : open.length;
  $("open").innerHTML = solved ? `<li><span>the value is ${text(trace.value)}</span></li>` : open.slice(0, SHOWN).map((state) => {
    const kind = state.solved ? "SOLVED" : "LIVE";
    return `<li><span class="name">${tree.names[state.node]}</span><span class="state ${kind}">${kind}</span><span class="merit">${text(state.merit)}</span></li>`;
  }).join("") + (open.length > SHOWN ? `<li>and ${open.length - SHOWN} more</li>` : "");
}

function showPasses(move) {
  $("passes").innerHTML = trace.passes.slice(0, view.pass).map(({ gamma, g }, i) => {
    const over = i + 1 < view.pass || (move?.node === 0 && move.kind === "answer");
    const answer = over ? ` → ${text(g)} ${g < gamma ? "fails low" : "fails high"}` : " …";
    return `<li class="${i + 1 === view.pass ? "now" : ""}">${i + 1}. MT(${tree.names[0]}, ${text(gamma)})${answer}</li>`;
  }).join("");
  $("passes").scrollTop = $("passes").scrollHeight;
}

// The end of a long path.
const ending = (path) => path.length > DEEP ? ["…", ...path.slice(-DEEP)] : path;

function draw() {
  drawing.update(here().view, here().marks, (rank) => hue(rank, leafCount()));
}

// The drawer

function showNode() {
  const shown = here().view.tree, node = picked ?? here().view.move?.node ?? 0;
  const line = [];
  for (let n = node; n > 0; n = shown.parent[n]) line.unshift(chess && shown === tree ? chess.moves[n] : shown.names[n]);
  const facts = [`<b>${shown.names[node]}</b>, ${isMax(shown, node) ? "MAX" : "MIN"}, ply ${shown.ply[node]}`,
    isLeaf(shown, node) ? `leaf number ${shown.leafNumber[node]}` : `${shown.last[node] - node} nodes below`];
  if (shown === tree && !isLeaf(tree, node) && mode !== "exercise") facts.push(`minimax value ${text(final.minimax[node])}`);
  facts.push(here().about(node));
  if (line.length) facts.push(`path: ${ending(line).map(escaped).join(" ")}`);
  const edit = isLeaf(shown, node) && shown === tree ? `<p><label>value <input id="value" value="${tree.values[node]}" size="12"></label> <button id="change">change</button> <span id="wrong" role="alert"></span></p>` : "";
  $("about").innerHTML = `<p>${facts.join(" · ")}</p>${edit}${chess ? `<p>${logText()}</p>` : ""}`;
  $("board").hidden = !chess || shown !== tree;
  if (chess && shown === tree) $("board").innerHTML = board(chess.boards[node]);
  if (edit) {
    $("change").onclick = () => change(node);
    $("value").onkeydown = (event) => { if (event.key === "Enter") change(node); };
  }
}

const escaped = (word) => word.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function change(leaf) {
  const value = $("value").value.trim().replace("−", "-");
  if (!/^-?\d{1,19}$/.test(value) || BigInt(value) >= INF / 2n || BigInt(value) <= -INF / 2n) {
    $("wrong").textContent = "an integer within 63 bits is wanted";
    return;
  }
  const values = tree.values.with ? tree.values.with(leaf, BigInt(value)) : tree.values.map((old, node) => node === leaf ? BigInt(value) : old);
  const at = frame, folded = drawing.folded, place = drawing.at, fitted = drawing.fitted;
  load({ ...tree, values }, chess && { ...chess, log: null });
  Object.assign(drawing, { folded, at: place, fitted });
  drawing.arrange(true);
  picked = drawing.picked = leaf;
  show(at);
}

// Chess: the board, and whether the engine's log of a search in exact mode is the order of SSS*.

const PIECES = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟", K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘", P: "♙" };

function board(placement) {
  const squares = placement.split("/").flatMap((row) => [...row].flatMap((sign) => /\d/.test(sign) ? Array(Number(sign)).fill("") : [sign]));
  return squares.map((piece, i) => `<span class="${(i + (i >> 3)) % 2 ? "dark" : ""}">${PIECES[piece] ?? ""}</span>`).join("");
}

function logText() {
  const head = `${escaped(chess.fen)}, depth ${chess.depth}. ${chess.rules} `;
  if (!chess.log) return head + "The tree was changed: the engine’s log is of another one.";
  const own = [...new Set(trace.leaves.map((leaf) => chess.keys[leaf]))];
  const rest = own.values();
  const inOrder = chess.log.every((key) => { for (const other of rest) if (other === key) return true; return false; });
  if (!inOrder) return head + "The engine’s log has OTHER leaves, or another order.";
  const saved = own.length - chess.log.length;
  return `${head}The engine’s own search, in exact mode, logged ${chess.log.length} leaves in ${chess.passes.length} passes: those of SSS*, in this order${saved ? `, but for ${saved} that transpositions saved` : ""}.`;
}

function guess() {
  return /^-?\d{1,19}$/.test($("guess").value.trim()) ? BigInt($("guess").value.trim()) : 0n;
}

function attempt(make) {
  try {
    load(make());
  } catch (error) {
    $("complaint").textContent = error instanceof TreeError ? error.message : error instanceof RangeError ? "the tree is too deep" : String(error);
  }
}

function random() {
  const field = (name) => $("random").elements[name].value.trim();
  const whole = (name, least, most) => {
    if (!/^\d+$/.test(field(name)) || Number(field(name)) < least || Number(field(name)) > most) throw new TreeError(`${name}: ${least} to ${most}`);
    return Number(field(name));
  };
  const [width, depth] = [whole("width", 1, 1000), whole("depth", 1, 60)], order = Number(field("order"));
  if (width ** depth > 16384) throw new TreeError("a tree of more than 16384 leaves is too large");
  if (!(order >= 0 && order <= 1)) throw new TreeError("sorted: a fraction, 0 to 1");
  if (!/^-?\d+$/.test(field("seed"))) throw new TreeError("seed: an integer");
  const values = BigInt(whole("values", 1, 2 ** 30));
  return randomTree({ width, depth, seed: BigInt(field("seed")), values, order, irregular: $("random").elements.irregular.checked });
}

function tab(name) {
  for (const button of document.querySelectorAll("[data-tab]")) {
    const own = button.dataset.tab === name;
    button.setAttribute("aria-selected", own);
    $(button.dataset.tab).hidden = !own;
  }
  drawing.resize();
}

// Steps from stop to stop.

const isStop = (f) => f <= 0 || f >= here().length || !here().isStop || here().isStop(f);

function go(direction) {
  let f = frame;
  do f += direction; while (!isStop(f));
  show(f);
}

function play() {
  if (timer || frame === here().length) { clearInterval(timer); timer = null; }
  else timer = setInterval(() => { go(1); if (frame === here().length) play(); }, 900);
  $("play").textContent = timer ? "⏸ pause" : "▶ play";
}

function fold(node) {
  drawing.fold(node);
  draw();
}

const KEYS = {
  ArrowRight: () => go(1), ArrowLeft: () => go(-1), Home: () => show(0), End: () => show(here().length), " ": play,
  w: () => $("walks").click(), "+": () => drawing.zoom(1.25), "-": () => drawing.zoom(0.8), 0: () => drawing.fit(),
  m: () => choose(Object.keys({ mtd: null, ...MODES })[(Object.keys(MODES).indexOf(mode) + 2) % (Object.keys(MODES).length + 1)]),
  f: () => fold(drawing.shownAs(picked ?? here().view.move?.node ?? 0)),
};
document.addEventListener("keydown", (event) => {
  if ((event.key === "Enter" || event.key === " ") && event.target.closest?.("button, input")) return;  // they press what has the focus
  const act = here().keys?.[event.key] ?? KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input:not([type]), textarea, select")) return;
  event.preventDefault();
  act();
});
$("first").onclick = KEYS.Home; $("back").onclick = KEYS.ArrowLeft; $("forward").onclick = KEYS.ArrowRight; $("last").onclick = KEYS.End; $("play").onclick = play;
$("slider").oninput = () => show(Number($("slider").value));
$("in").onclick = KEYS["+"]; $("out").onclick = KEYS["-"]; $("fit").onclick = KEYS[0];
for (const id of ["proof", "purged", "visits"]) $(id).onchange = draw;
$("fold").onchange = () => { drawing.foldAll(foldedBy($("fold").value)); draw(); };
drawing.onpick = (node) => {
  if (here().onpick?.(node)) return;
  picked = drawing.picked = picked === node ? null : node;
  draw();
  tab("node");
  showNode();
};
drawing.onfold = fold;
for (const button of document.querySelectorAll("[data-tab]")) button.onclick = () => tab(button.dataset.tab);
$("apply").onclick = () => { deepening.lecture = false; attempt(() => parseTree($("text").value)); };
$("random").onsubmit = (event) => { event.preventDefault(); deepening.lecture = false; attempt(random); };
$("chess").onsubmit = (event) => { event.preventDefault(); searchChess($("chess").elements); };
$("start").onclick = () => { if (race.runners.every(({ at, result }) => at === result.evaluations)) race.load(tree, guess()); race.start(); };
$("finish").onclick = () => { race.stop(); race.goTo(Infinity); };
$("guess").onchange = () => race.load(tree, guess());
for (const button of document.querySelectorAll("[data-mode]")) button.onclick = () => choose(button.dataset.mode);
$("named").innerHTML = '<option value="" hidden>own</option>' + Object.keys(DATA.trees).map((name) => `<option>${name}</option>`).join("");
$("named").onchange = () => {
  MODES.deepening.lecture = false;
  attempt(() => parseTree(DATA.trees[$("named").value].tree));
};

// The modes' own fields

const { gsearch, exercise, window: moving, deepening } = MODES;
$("g-rule").onchange = () => { Object.assign(gsearch, { rule: $("g-rule").value, way: null }); begin(); };
for (const button of document.querySelectorAll("[data-way]")) button.onclick = () => gsearch.choose(button.dataset.way);
$("g-verdict").onclick = (event) => { if (event.target.dataset.act) gsearch.act(event.target.dataset.act); };
$("e-search").onchange = () => { exercise.search = $("e-search").value; exercise.clear(); };
$("e-check").onclick = () => exercise.check();
$("e-reveal").onclick = () => exercise.reveal();
$("e-clear").onclick = () => exercise.clear();
$("e-next").onclick = () => load(exerciseTree());
$("w-null").onchange = () => moving.set($("w-null").checked ? 1n : 6n);
$("w-width").onchange = () => { if (/^[1-9]\d{0,17}$/.test($("w-width").value.trim())) moving.set(BigInt($("w-width").value.trim())); else show(frame); };
$("d-lecture").onchange = () => { deepening.lecture = $("d-lecture").checked; begin(); };

// The engine makes the tree of a position: `sssnake serve` sends another page, a file says what to type.
function searchChess({ fen, depth, chess960 }) {
  const position = fen.value.trim();
  if (!position || !/^[1-9]\d?$/.test(depth.value.trim())) $("complaint").textContent = "a FEN and a depth are wanted";
  else if (location.protocol.startsWith("http")) {
    location.assign(`lab?${new URLSearchParams({ fen: position, depth: depth.value.trim(), ...chess960.checked && { chess960: 1 } })}`);
  } else $("complaint").textContent = `in a terminal: sssnake lab show --fen "${position.replaceAll('"', "")}" --depth ${depth.value.trim()}${chess960.checked ? " --chess960" : ""}`;
}

let exercises = BigInt(Date.now() % 1000003);
// A small random tree on which there is something to prune.
function exerciseTree() {
  for (;;) {
    const made = randomTree({ width: 3, depth: 3, seed: exercises++, values: 20n, irregular: true });
    if (made.size >= 9 && made.size <= 30 && made.depth > 1 && alphaBeta(made).visited.size < made.size) return made;
  }
}

// "#7" is step 7 of SSS* and MTD, "#gsearch-7" that of another view.
function visit(hash) {
  const [, name, step] = /^#?(?:(\w+)-)?(\d+)?$/.exec(hash) ?? [];
  if (MODES[name] && mode !== name) choose(name);
  show(Number(step ?? 0));
}

window.onhashchange = () => visit(location.hash);
new ResizeObserver(() => drawing.tree && drawing.resize()).observe($("stage"));

const asked = location.hash;
if (DATA.chess) $("chess").elements.fen.value = DATA.chess.fen;
load(parseTree(DATA.tree), DATA.chess);
tab("node");
drawing.arrange();  // the stage has its size now
visit(asked);
