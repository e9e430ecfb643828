// The state of both searches after some of MT's moves, and what to say about it.

const text = (value) => value >= INF ? "+∞" : value <= -INF ? "−∞" : String(value).replace("-", "−");

class View {
  constructor(tree, trace) {
    this.tree = tree;
    this.trace = trace;
    this.goTo(0);
  }

  // Replays from where it stands, or from the beginning.
  goTo(frame) {
    if (!(frame >= this.frame)) {
      Object.assign(this, {
        frame: 0, done: 0, pass: 1, move: null, upper: INF, lower: -INF, seen: new Set([0]), table: new Map(), stack: [],
        leaves: new Map(), purged: new Set(), open: new Map([[0, { node: 0, solved: false, merit: INF }]]),
      });
    }
    while (this.frame < frame) this.advance(this.trace.moves[this.frame++]);
  }

  advance(move) {
    this.move = move;
    this.pass = move.pass;
    if (move.turn !== null) this.take(this.trace.turns[move.turn]);
    if (move.kind === "enter" || move.kind === "walk") {
      this.stack.push(move.node);
      this.seen.add(move.node);
      if (move.kind === "enter" && isLeaf(this.tree, move.node)) this.leaves.set(move.node, this.leaves.size);
      return;
    }
    if (move.kind === "answer") this.stack.pop();
    this.table.set(move.node, [move.lower, move.upper]);
    if (move.node === 0) [this.lower, this.upper] = [move.lower, move.upper];
  }

  take(turn) {
    this.done++;
    this.open.delete(turn.node);
    for (const node of turn.purged) {
      this.open.delete(node);
      this.purged.add(node);
    }
    for (const state of turn.pushed) this.open.set(state.node, state);
  }

  // OPEN in its order: merit, then from left to right.
  openList() {
    return [...this.open.values()].sort((a, b) => a.merit === b.merit ? a.node - b.node : a.merit > b.merit ? -1 : 1);
  }
}

const CASES = [
  (n) => `${n} is the root, and SOLVED: the search ends.`,
  (n, p, s, c, k) => `Case 1: MAX has found its move ${n}. ${p} is SOLVED; what else is on OPEN below ${p} is purged${k ? `: ${k} ${k > 1 ? "states" : "state"}` : " (nothing is)"}.`,
  (n, p, s) => `Case 2: MIN’s move ${n} is answered; its next one, ${s}, comes to life.`,
  (n, p) => `Case 3: ${n} was MIN’s last move. All are answered: ${p} is SOLVED.`,
  (n, p, s, c, k, m) => `Case 4: the leaf ${n} is evaluated and goes back to OPEN with the merit ${m}.`,
  (n, p, s, c) => `Case 5: at a MIN node the first child, ${c[0]}, is enough for now.`,
  (n, p, s, c) => `Case 6: at a MAX node every child is a hope: ${c.length > 12 ? `${c.slice(0, 12).join(" ")} … (${c.length})` : c.join(" ")}.`,
];

const bold = (tree, node) => `<b>${tree.names[node]}</b>`;

// What SSS* does at this moment: its step, or why it has nothing to do.
function told(tree, view) {
  const { move, trace } = view;
  if (!move) return "SSS* begins with the root on OPEN, its merit +∞.";
  const name = bold(tree, move.node);
  if (move.turn !== null) {
    const turn = trace.turns[move.turn], parent = tree.parent[turn.node];
    const brothers = parent < 0 ? [] : tree.children[parent], next = brothers[brothers.indexOf(turn.node) + 1];
    return CASES[turn.step](name, parent < 0 ? "" : bold(tree, parent), next === undefined ? "" : bold(tree, next),
      tree.children[turn.node].map((child) => bold(tree, child)), turn.purged.length, text(turn.pushed[0]?.merit ?? turn.merit));
  }
  if (move.kind === "walk") {
    const first = view.openList()[0];
    return `SSS* has been at ${name} before. Its next state is ${bold(tree, first.node)}, of merit ${text(first.merit)}; MT walks down to it.`;
  }
  if (move.node === 0) return `No state of merit ${text(move.gamma)} is left on OPEN. The highest merit is ${text(move.g)}: that is the next γ.`;
  if (move.g >= move.gamma) return `SSS* has this result already.`;
  return isLeaf(tree, move.node) && move.kind === "answer" ? `${name} waits on OPEN with the merit ${text(move.g)}.`
    : `No state of merit ${text(move.gamma)} is on OPEN below ${name}; the highest merit there is ${text(move.g)}.`;
}

// What MT does at this moment.
function deed(tree, view) {
  const { move } = view;
  if (!move) return "Press → to begin.";
  const call = `MT(${bold(tree, move.node)}, ${text(move.gamma)})`;
  if (move.kind === "enter" && isLeaf(tree, move.node)) return `${call} evaluates the leaf: ${text(tree.values[move.node])}`;
  if (move.kind === "enter") return move.node === 0 ? `Pass 1 begins: ${call} enters the root` : `${call} enters`;
  if (move.kind === "walk") return move.node === 0 ? `Pass ${move.pass} begins: ${call}` : `${call} walks down again`;
  const bound = `${bold(tree, move.node)} ${move.g < move.gamma ? "≤" : "≥"} ${text(move.g)}`;
  if (move.kind === "know") return `${call}: the table knows ${bound}`;
  if (move.node !== 0) return `${call} answers ${bound}`;
  return view.lower === view.upper ? `${call} answers ${bound}: both bounds are equal, the value is ${text(move.g)}`
    : `${call} answers ${bound}: pass ${move.pass} is over`;
}
