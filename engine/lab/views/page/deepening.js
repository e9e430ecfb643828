// Iterative deepening: every iteration searches a ply deeper, after the moves were sorted by the values of the last one.

// The tree of the lecture, in capitals as there: after the first search B and C change places, after the second B and C again, and
// D and E. The lecture's numbers are lost; these are ours. A node is [static value, children].
const LECTURE = [0, [[3, [[6, [[7], [6]]], [4, [[3], [5]]]]], [5, [[2, [[1], [4]]], [4, [[8], [2]]]]]]];
const ERROR = 10n;  // of the static values of other trees' inner nodes

class DeepeningMode {
  constructor(page) {
    this.page = page;
    this.lecture = true;
  }

  load(tree) {
    this.given = tree;
    this.source = this.lecture ? lectureTree() : guessed(tree);
    this.steps = deepen(this.source);
  }

  get length() {
    return this.steps.length - 1;
  }

  show(frame) {
    this.step = this.steps[frame];
    this.tree = this.step.tree;
    $("d-step").innerHTML = this.step.words;
    $("d-lecture").checked = this.lecture;
    if (this.lecture) {
      $("named").value = "";
      $("named-about").textContent = "the lecture’s tree A to G; its numbers are lost, these are ours";
    }
    $("d-list").innerHTML = this.steps.slice(0, frame + 1).map((step, i) => `<li class="${i === frame ? "now" : ""}">${step.short}</li>`).join("");
    const last = this.steps.at(-1);
    $("d-cost").textContent = frame === this.length ? `The last search evaluates ${last.leaves} leaves; without the swaps it would evaluate ${last.unsorted}.` : "";
  }

  get view() {
    const { tree, values, order } = this.step;
    return {
      tree, open: new Map(), purged: new Set(), stack: [], seen: new Set(values?.keys() ?? tree.children.keys()), move: { node: 0 },
      leaves: new Map(order.map((leaf, i) => [leaf, i])),
      table: new Map([...values ?? []].map(([node, value]) => [node, [value, value]])),
    };
  }

  get marks() {
    return { classes: new Map((this.step.swapped ?? []).map((node) => [node, ["swapped"]])) };
  }

  about(node) {
    const value = this.step.values?.get(node);
    if (!this.step.values) return "in its new place for the next search";
    return value === undefined ? "this iteration does not visit it" : `the search returned ${text(value)}`;
  }
}

function lectureTree() {
  const nested = ([value, children]) => children ? children.map(nested) : BigInt(value);
  const tree = makeTree(nested(LECTURE)), statics = [];
  const walk = ([value, children = []]) => {
    statics.push(BigInt(value));
    children.forEach(walk);
  };
  walk(LECTURE);
  return { ...tree, statics, names: tree.names.map((name) => name.toUpperCase()) };
}

// Static values for the inner nodes of any tree: the minimax value, give or take some.
function guessed(tree) {
  const values = minimaxValues(tree);
  return { ...tree, statics: values.map((value, node) => isLeaf(tree, node) ? value : value + mix(BigInt(node)) % (2n * ERROR + 1n) - ERROR) };
}

// The part of a tree down to a depth, its children in an order; leaves at the horizon have their static values.
function cutAt(source, depth, order) {
  const origin = [];
  const written = (node) => {
    origin.push(node);
    return source.ply[node] === depth || !source.children[node].length ? source.statics[node] : order.get(node).map(written);
  };
  const tree = makeTree(written(0));
  return { ...tree, origin, names: origin.map((node) => source.names[node]) };
}

// Alpha-beta that also tells what it returned at every node it visited.
function valued(tree) {
  const values = new Map();
  const search = (node, alpha, beta) => {
    let best = isLeaf(tree, node) ? tree.values[node] : isMax(tree, node) ? -INF : INF;
    for (const child of tree.children[node]) {
      const value = search(child, alpha, beta);
      best = isMax(tree, node) ? larger(best, value) : smaller(best, value);
      if (isMax(tree, node)) alpha = larger(alpha, best); else beta = smaller(beta, best);
      if (alpha >= beta) break;
    }
    values.set(node, best);
    return best;
  };
  search(0, -INF, INF);
  return values;
}

function deepen(source) {
  const order = new Map(source.children.map((children, node) => [node, [...children]])), steps = [];
  const natural = new Map(source.children.map((children, node) => [node, children]));
  const name = (node) => `<b>${source.names[node]}</b>`;
  for (let depth = 1; depth <= source.depth; depth++) {
    const tree = cutAt(source, depth, order), values = valued(tree), { leaves } = alphaBeta(tree);
    const words = `Search ${depth}: ${depth} ${depth > 1 ? "plies" : "ply"} deep it finds ${text(values.get(0))}.`;
    steps.push({ tree, values, order: leaves, words, short: words, leaves: leaves.length });
    if (depth === source.depth) break;
    const swaps = sortByValues(tree, values, order);
    const sorted = cutAt(source, depth, order);
    const told = swaps.length ? swaps.map(({ parent, before, after }) => {
      const moved = after.filter((node, i) => node !== before[i]);
      const best = isMax(source, parent) ? "the higher value first" : "the lower value first";
      return moved.length === 2 ? `${moved.sort((a, b) => a - b).map(name).join(" and ")} are swapped (at ${name(parent)}, ${best})`
        : `at ${name(parent)}: ${after.map(name).join(" ")} (${best})`;
    }).join("; ") : "the order stays";
    const swapped = sorted.origin.flatMap((node, i) => swaps.some(({ before, after }) => before.includes(node) && before.indexOf(node) !== after.indexOf(node)) ? [i] : []);
    steps.push({ tree: sorted, values: null, order: [], swapped, words: `Sorted: ${told}.`, short: `sorted: ${told}`, swaps });
  }
  steps.at(-1).unsorted = alphaBeta(cutAt(source, source.depth, natural)).leaves.length;
  return steps;
}

// Sorts the children that the search has visited, the best first; the others stay behind them. Equals keep their order.
function sortByValues(tree, values, order) {
  const swaps = [];
  for (let node = 0; node < tree.size; node++) {
    const parent = tree.origin[node], before = order.get(parent);
    if (isLeaf(tree, node) || before.length < 2) continue;
    const worth = new Map(tree.children[node].map((child) => [tree.origin[child], values.get(child)]));
    const seen = before.filter((child) => worth.get(child) !== undefined), rest = before.filter((child) => worth.get(child) === undefined);
    const sign = isMax(tree, node) ? -1 : 1;
    seen.sort((a, b) => worth.get(a) === worth.get(b) ? 0 : worth.get(a) < worth.get(b) ? -sign : sign);
    const after = [...seen, ...rest];
    if (after.some((child, i) => child !== before[i])) swaps.push({ parent, before: [...before], after });
    order.set(parent, after);
  }
  return swaps;
}
