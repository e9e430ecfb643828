// The exercise: which nodes does a search prune? Marks are checked, and every answer is explained.

const EXERCISES = { alphabeta: "alpha-beta", scout: "Scout", sss: "SSS*", dual: "DUAL*" };

// What a search visits, and in words why it visits a node, or why it prunes it with all that is below.
function explained(tree, name) {
  if (name === "alphabeta") return explainAlphaBeta(tree);
  return name === "scout" ? explainScout(tree) : explainStockman(tree, name === "dual");
}

function explainAlphaBeta(tree) {
  const windows = new Map(), cuts = new Map();
  const { visited } = alphaBeta(tree, -INF, INF, (event) => (event.kind === "enter" ? windows : cuts).set(event.node, event));
  const why = (node) => {
    if (visited.has(node)) {
      const { alpha, beta } = windows.get(node);
      return node === 0 ? "the root is always visited" : `visited: here α = ${text(alpha)} < β = ${text(beta)}, its value may count`;
    }
    const parent = tree.parent[node], { child, alpha, beta, value } = cuts.get(parent);
    return isMax(tree, parent)
      ? `pruned: at ${bold(tree, parent)} MAX has ${text(value)} by ${bold(tree, child)}, and MIN above has β = ${text(beta)}: ${text(value)} ≥ ${text(beta)}, MIN will not come here`
      : `pruned: at ${bold(tree, parent)} MIN has ${text(value)} by ${bold(tree, child)}, and MAX above has α = ${text(alpha)}: ${text(value)} ≤ ${text(alpha)}, MAX will not come here`;
  };
  return { visited, why };
}

function explainScout(tree) {
  const tests = new Map();  // node -> the last test that a child decided before its brothers were seen
  const { visited } = scout(tree, (event) => tests.set(event.node, event));
  const why = (node) => {
    if (visited.has(node)) return node === 0 ? "the root is always visited" : "visited: Scout has to know its value, or a test of it is not decided before";
    const parent = tree.parent[node], { child, bound, strictly, answer } = tests.get(parent);
    const question = `${strictly ? ">" : "≥"} ${text(bound)}`;
    return `pruned: is ${bold(tree, parent)} ${question}? ${bold(tree, child)} decides it: ${answer ? "yes, that is enough for MAX" : "no, that is enough for MIN"}`;
  };
  return { visited, why };
}

function explainStockman(tree, dual) {
  const search = new Stockman(tree, dual), merits = new Map(), purged = new Map(), waiting = new Map();
  const [we, they] = dual ? ["MIN", "MAX"] : ["MAX", "MIN"];
  for (let step = 1; search.value === null; step++) {
    const turn = search.step();
    if (!turn.solved) merits.set(turn.node, { merit: turn.merit, step });
    for (const state of turn.pushed) waiting.set(state.node, state);
    for (const node of turn.purged) purged.set(node, turn);
  }
  const why = (node) => {
    if (merits.has(node)) {
      const { merit, step } = merits.get(node);
      return `visited: in step ${step} it is the first on OPEN, LIVE, of merit ${text(merit)}`;
    }
    const parent = tree.parent[node], brothers = tree.children[parent];
    const before = brothers.slice(0, brothers.indexOf(node)).findLast((brother) => waiting.has(brother));
    if (purged.has(node)) return `pruned: it waited on OPEN with merit ${text(waiting.get(node).merit)}; then ${we} found the move ${bold(tree, purged.get(node).node)}, and it was purged`;
    if (isMax(tree, parent) !== dual) return `pruned: it was still on OPEN with merit ${text(waiting.get(node).merit)} when the root was SOLVED`;
    const state = waiting.get(before);
    const end = purged.has(before) ? `was purged: ${we} found the move ${bold(tree, purged.get(before).node)}`
      : "was never the first on OPEN again";
    return `pruned: ${they}’s move ${bold(tree, node)} comes to life when ${bold(tree, before)} is answered; that one had the merit ${text(state.merit)} and ${end}`;
  };
  return { visited: search.log.visited, why };
}

// The tops of a set of nodes: those whose parent is not in it.
const tops = (tree, nodes) => [...nodes].filter((node) => !nodes.has(tree.parent[node])).sort((a, b) => a - b);

class ExerciseMode {
  constructor(page) {
    this.page = page;
    this.search = "alphabeta";
    this.length = 0;
    this.keys = {
      ArrowDown: () => this.walk((n) => this.tree.children[n][0]), ArrowUp: () => this.walk((n) => this.tree.parent[n]),
      ArrowRight: () => this.walk((n) => this.beside(n, 1)), ArrowLeft: () => this.walk((n) => this.beside(n, -1)),
      Enter: () => this.toggle(this.cursor), " ": () => this.toggle(this.cursor), c: () => this.check(),
    };
  }

  load(tree) {
    this.tree = tree;
    this.marked = new Set();
    this.cursor = 0;
    this.checked = false;
  }

  get pruned() {
    const { visited } = this.truth, found = new Set();
    for (let node = 0; node < this.tree.size; node++) if (!visited.has(node)) found.add(node);
    return found;
  }

  get truth() {
    if (this.known?.tree !== this.tree || this.known.search !== this.search) {
      this.known = { tree: this.tree, search: this.search, ...explained(this.tree, this.search) };
    }
    return this.known;
  }

  walk(to) {
    const node = to(this.cursor);
    if (node === undefined || node < 0) return;
    this.cursor = node;
    this.page.refresh(node);
  }

  // The next node of the same ply.
  beside(node, step) {
    for (let n = node + step; n > 0 && n < this.tree.size; n += step) if (this.tree.ply[n] === this.tree.ply[node]) return n;
    return undefined;
  }

  // Marks a node and all that is below it, or takes the marks away.
  toggle(node) {
    const marks = !this.marked.has(node);
    for (let n = node; n <= this.tree.last[node]; n++) if (marks) this.marked.add(n); else this.marked.delete(n);
    if (!marks) for (let n = this.tree.parent[node]; n >= 0; n = this.tree.parent[n]) this.marked.delete(n);
    this.cursor = node;
    this.checked = false;
    this.page.refresh(node);
  }

  check() {
    this.checked = true;
    this.page.refresh();
  }

  reveal() {
    this.marked = this.pruned;
    this.check();
  }

  clear() {
    this.load(this.tree);
    this.page.refresh();
  }

  show() {
    $("e-search").value = this.search;
    $("e-cursor").innerHTML = `at ${bold(this.tree, this.cursor)}: ${this.marked.has(this.cursor) ? "marked as pruned" : "not marked"}`;
    $("e-score").innerHTML = this.checked ? this.score() : `${this.marked.size} nodes marked`;
    $("e-answers").innerHTML = this.checked ? this.answers().map(([kind, node, why]) =>
      `<li class="${kind}"><b>${{ right: "✓", wrong: "✗", missed: "○" }[kind]} ${this.tree.names[node]}</b> ${why}</li>`).join("") : "";
  }

  score() {
    const { pruned, marked } = this, right = [...marked].filter((node) => pruned.has(node)).length;
    const wrong = marked.size - right, missed = pruned.size - right, name = EXERCISES[this.search];
    if (!pruned.size && !marked.size) return `<b>Right</b>: ${name} prunes nothing here.`;
    return wrong + missed === 0 ? `<b>All right</b>: ${name} prunes ${pruned.size} of ${this.tree.size} nodes.`
      : `${right} of ${pruned.size} found, ${wrong} wrong, ${missed} missed.`;
  }

  answers() {
    const { pruned, marked, truth } = this;
    const sets = {
      wrong: new Set([...marked].filter((node) => !pruned.has(node))),
      missed: new Set([...pruned].filter((node) => !marked.has(node))),
      right: new Set([...pruned].filter((node) => marked.has(node))),
    };
    // Of the pruned nodes the topmost are explained: what is below goes with them.
    const highest = new Set(tops(this.tree, pruned));
    return Object.entries(sets).flatMap(([kind, nodes]) =>
      [...nodes].filter((node) => kind === "wrong" || highest.has(node)).sort((a, b) => a - b).slice(0, SHOWN).map((node) => [kind, node, truth.why(node)]));
  }

  onpick(node) {
    this.toggle(node);
    return true;
  }

  get view() {
    const all = new Set(this.tree.children.keys());
    return { tree: this.tree, open: new Map(), leaves: new Map(), purged: new Set(), table: new Map(), stack: [], seen: all, move: { node: this.cursor } };
  }

  get marks() {
    const classes = new Map(), { pruned } = this;
    for (let node = 0; node < this.tree.size; node++) {
      const own = this.marked.has(node), kind = !this.checked ? null : own ? pruned.has(node) ? "right" : "wrong" : pruned.has(node) && "missed";
      classes.set(node, [own && "marked", kind].filter(Boolean));
    }
    return { classes };
  }

  about(node) {
    return this.checked ? this.truth.why(node) : "the answer comes with the check";
  }
}
