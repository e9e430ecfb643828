// The searches of engine/lab/searches, in JavaScript: the same leaves in the same order (a test compares them).

const larger = (a, b) => a > b ? a : b;
const smaller = (a, b) => a < b ? a : b;

// Counts visits and records evaluated leaves; `visited` holds every node that was visited.
class Log {
  constructor(tree) {
    this.tree = tree;
    this.leaves = new Set();
    this.visited = new Set();
    this.order = [];  // every evaluation, repeats included
    this.nodes = 0;
  }
  visit(node) {
    this.nodes++;
    this.visited.add(node);
  }
  evaluate(node) {
    this.leaves.add(node);
    this.order.push(node);
    return this.tree.values[node];
  }
  result(value, passes = []) {
    return { value, passes, leaves: [...this.leaves], order: this.order, evaluations: this.order.length, nodes: this.nodes, visited: this.visited };
  }
}

// Fail-soft. `tell` hears of every node that is entered, and of every cut: after which child, and the bounds there.
function alphaBeta(tree, from = -INF, to = INF, tell = () => {}) {
  const log = new Log(tree);
  const search = (node, alpha, beta) => {
    log.visit(node);
    tell({ kind: "enter", node, alpha, beta });
    if (isLeaf(tree, node)) return log.evaluate(node);
    const maximizing = isMax(tree, node);
    let best = maximizing ? -INF : INF;
    for (const child of tree.children[node]) {
      const value = search(child, alpha, beta);
      if (maximizing) alpha = larger(alpha, best = larger(best, value));
      else beta = smaller(beta, best = smaller(best, value));
      if (alpha >= beta) {
        tell({ kind: "cut", node, child, alpha, beta, value });
        break;
      }
    }
    return best;
  };
  return log.result(search(0, from, to));
}

// Scout without memory (Pearl 1980). `tell` hears of every test, and of the child that decided it.
function scout(tree, tell = () => {}) {
  const log = new Log(tree);
  const exceeds = (node, bound, strictly) => {
    log.visit(node);
    if (isLeaf(tree, node)) {
      const value = log.evaluate(node);
      return strictly ? value > bound : value >= bound;
    }
    const maximizing = isMax(tree, node);
    for (const child of tree.children[node]) {
      if (exceeds(child, bound, strictly) !== maximizing) continue;
      tell({ node, child, bound, strictly, answer: maximizing });
      return maximizing;
    }
    return !maximizing;
  };
  const valueOf = (node) => {
    log.visit(node);
    if (isLeaf(tree, node)) return log.evaluate(node);
    const maximizing = isMax(tree, node), [first, ...others] = tree.children[node];
    let best = valueOf(first);
    for (const child of others) if (exceeds(child, best, maximizing) === maximizing) best = valueOf(child);
    return best;
  };
  return log.result(valueOf(0));
}

// OPEN: the state of highest merit first (dual: lowest), among equals the leftmost. States on OPEN are never
// ancestors of each other, so preorder numbers stand from left to right.
class Heap {
  constructor(dual) {
    this.sign = dual ? -1 : 1;
    this.items = [];
  }
  before(a, b) {
    if (a.merit !== b.merit) return (a.merit > b.merit) === (this.sign > 0);
    return a.node < b.node;
  }
  push(item) {
    const items = this.items;
    let i = items.push(item) - 1;
    for (let up; i > 0 && this.before(item, items[up = (i - 1) >> 1]); i = up) items[i] = items[up];
    items[i] = item;
  }
  pop() {
    const items = this.items, top = items[0], item = items.pop();
    if (!items.length) return top;
    let i = 0;
    for (let down; (down = 2 * i + 1) < items.length; i = down) {
      if (down + 1 < items.length && this.before(items[down + 1], items[down])) down++;
      if (!this.before(items[down], item)) break;
      items[i] = items[down];
    }
    items[i] = item;
    return top;
  }
}

// Stockman's SSS* (1979), a step at a time; dual: DUAL*. A step tells what it took from OPEN, put there and purged.
class Stockman {
  constructor(tree, dual = false) {
    this.tree = tree;
    this.dual = dual;
    this.log = new Log(tree);
    this.heap = new Heap(dual);
    this.entry = new Map();   // node -> its state on OPEN
    this.active = new Map();  // node -> its children through which OPEN lies below it
    this.value = null;
    this.openMax = 0;
    this.push(0, false, dual ? -INF : INF);
  }
  push(node, solved, merit) {
    const state = { node, solved, merit };
    this.entry.set(node, state);
    this.heap.push(state);
    this.openMax = Math.max(this.openMax, this.entry.size);
    this.pushed?.push(state);
  }
  pop() {
    for (;;) {
      const state = this.heap.pop();
      if (this.entry.get(state.node) !== state) continue;  // purged
      this.entry.delete(state.node);
      return state;
    }
  }
  step() {
    this.pushed = [];
    this.purged = [];
    const state = this.pop();
    const ours = isMax(this.tree, state.node) !== this.dual;
    const turn = state.solved ? this.rise(state, ours) : this.descend(state, ours);
    return { ...state, step: turn, pushed: this.pushed, purged: this.purged };
  }
  descend({ node, merit }, ours) {
    this.log.visit(node);
    const children = this.tree.children[node];
    if (!children.length) {
      const value = this.log.evaluate(node);
      this.push(node, true, this.dual ? larger(merit, value) : smaller(merit, value));
      return 4;
    }
    this.active.set(node, ours ? [...children] : [children[0]]);
    for (const child of this.active.get(node)) this.push(child, false, merit);
    return ours ? 6 : 5;
  }
  rise({ node, merit }, ours) {
    const parent = this.tree.parent[node];
    if (parent < 0) {
      this.value = merit;
      return 0;
    }
    if (!ours) {
      this.purge(parent);
      this.push(parent, true, merit);
      return 1;
    }
    const brothers = this.tree.children[parent], next = brothers[brothers.indexOf(node) + 1];
    this.active.set(parent, next === undefined ? [] : [next]);
    if (next === undefined) this.push(parent, true, merit);
    else this.push(next, false, merit);
    return next === undefined ? 3 : 2;
  }
  purge(node) {
    const below = [...this.active.get(node) ?? []];
    this.active.delete(node);
    while (below.length) {
      const inner = below.pop();
      if (this.entry.delete(inner)) this.purged.push(inner);
      below.push(...this.active.get(inner) ?? []);
      this.active.delete(inner);
    }
  }
  run() {
    while (this.value === null) this.step();
    return { ...this.log.result(this.value), openMax: this.openMax };
  }
}

// MT, the null-window test with memory. `tell` hears of every node entered and left.
class MT {
  constructor(tree, tell = () => {}) {
    this.tree = tree;
    this.tell = tell;
    this.log = new Log(tree);
    this.table = new Map();  // node -> [lower, upper]
  }
  test(gamma) {
    return this.search(0, gamma);
  }
  search(node, gamma) {
    const again = this.log.visited.has(node);
    this.log.visit(node);
    const [lower, upper] = this.table.get(node) ?? [-INF, INF];
    if (lower >= gamma || upper < gamma) {
      const g = lower >= gamma ? lower : upper;
      this.tell({ kind: "know", node, gamma, g, lower, upper });
      return g;
    }
    this.tell({ kind: again ? "walk" : "enter", node, gamma });
    const g = this.children(node, gamma);
    const low = g >= gamma || isLeaf(this.tree, node) ? larger(lower, g) : lower;
    const high = g < gamma || isLeaf(this.tree, node) ? smaller(upper, g) : upper;
    this.table.set(node, [low, high]);
    this.tell({ kind: "answer", node, gamma, g, lower: low, upper: high });
    return g;
  }
  children(node, gamma) {
    if (isLeaf(this.tree, node)) return this.log.evaluate(node);
    let g = isMax(this.tree, node) ? -INF : INF;
    for (const child of this.tree.children[node]) {
      if (isMax(this.tree, node)) {
        g = larger(g, this.search(child, gamma));
        if (g >= gamma) break;
      } else {
        g = smaller(g, this.search(child, gamma));
        if (g < gamma) break;
      }
    }
    return g;
  }
}

// MTD(first, next): tests until the bracket closes.
const fromAbove = ({ g }) => g;
const fromBelow = ({ g }) => g + 1n;
const around = ({ g, lower }) => g === lower ? g + 1n : g;

function drive(mt, first, next) {
  const bracket = { lower: -INF, upper: INF, g: 0n }, passes = [];
  for (let gamma = first; bracket.lower < bracket.upper; gamma = next(bracket)) {
    bracket.g = mt.test(gamma);
    if (bracket.g < gamma) bracket.upper = bracket.g; else bracket.lower = bracket.g;
    passes.push(bracket.g);
  }
  const entries = [...mt.table.keys()].filter((node) => !isLeaf(mt.tree, node)).length;
  return { ...mt.log.result(bracket.lower, passes), entries };
}

const SEARCHES = {
  "alphabeta": (tree) => alphaBeta(tree),
  "scout": (tree) => scout(tree),
  "sss": (tree) => new Stockman(tree).run(),
  "dual": (tree) => new Stockman(tree, true).run(),
  "mtd+inf": (tree) => drive(new MT(tree), INF, fromAbove),
  "mtd-inf": (tree) => drive(new MT(tree), 1n - INF, fromBelow),
  "mtdf": (tree, guess = 0n) => drive(new MT(tree), guess, around),
};

// SSS* and MTD(+inf) together: every move of MT, with the number of the step of SSS* whose work it does.
function follow(tree) {
  const sss = new Stockman(tree), turns = [], moves = [], passes = [];
  let awaited = sss.step(), pass = 0;
  const corresponds = (move) => {
    const solves = (move.kind === "know" || move.kind === "answer") && move.g >= move.gamma;
    return (awaited.solved ? solves : move.kind === "enter") && move.node === awaited.node && move.gamma === awaited.merit;
  };
  const mt = new MT(tree, (move) => {
    if (move.node === 0 && move.kind !== "answer") pass++;
    move.pass = pass;
    move.turn = null;
    if (awaited && corresponds(move)) {
      move.turn = turns.push(awaited) - 1;
      awaited = sss.value === null ? sss.step() : null;
    }
    moves.push(move);
    if (move.node === 0 && (move.kind === "answer" || move.kind === "know")) passes.push({ gamma: move.gamma, g: move.g });
  });
  const result = drive(mt, INF, fromAbove);
  return { turns, moves, passes, value: result.value, table: mt.table, leaves: result.leaves, complete: awaited === null };
}

// The two trees that prove the value v. Lower: MAX's strategy, one move at MAX nodes, every answer at MIN nodes,
// all leaves >= v. Upper: the same for MIN, all leaves <= v.
function proofs(tree, table, value) {
  const grow = (one, holds) => {
    const found = new Set(), stack = [0];
    while (stack.length) {
      const node = stack.pop(), children = tree.children[node];
      found.add(node);
      if (isMax(tree, node) !== one) stack.push(...children);
      else if (children.length) stack.push(children.find((child) => holds(table.get(child) ?? [-INF, INF])));
    }
    return found;
  };
  return { lower: grow(true, ([lower]) => lower >= value), upper: grow(false, ([, upper]) => upper <= value) };
}
