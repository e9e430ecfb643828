// GSEARCH (Ibaraki 1986; Katoh & Ibaraki 1987) as in engine/lab/searches/gsearch.py and engine/lab/proofs, for small trees:
// every term by its definition. A side: MAX looks for a strategy of MAX (SSS*), MIN for one of MIN (dual SSS*).

const LARGEST = 1200;  // nodes: every step looks at all OPEN nodes
const WAYS = ["I", "II", "III", "IV", "V"];

const least = (values) => values.reduce(smaller, INF);
const greatest = (values) => values.reduce(larger, -INF);

class GSearch {
  constructor(tree, rule) {
    if (tree.size > LARGEST) throw new TreeError(`a tree of ${tree.size} nodes is too large for this view; ${LARGEST} is the limit`);
    this.tree = tree;
    this.rule = rule;  // "alphabeta", "sss" or "dual"
    this.side = rule === "dual" ? "min" : "max";
    this.lower = new Array(tree.size).fill(-INF);
    this.upper = new Array(tree.size).fill(INF);
    this.open = new Set([0]);
    this.there = new Set([0]);  // the search tree T
    this.explored = new Set();
    this.leaves = [];
  }

  get solved() {
    return this.lower[0] >= this.upper[0];
  }

  // The bounds as the side sees them: for MIN signs change and the bounds change places.
  least(node) {
    return this.side === "max" ? this.lower[node] : -this.upper[node];
  }
  most(node) {
    return this.side === "max" ? this.upper[node] : -this.lower[node];
  }
  own(node) {
    return isMax(this.tree, node) === (this.side === "max");
  }

  ancestors(node) {
    const found = [];
    for (let n = this.tree.parent[node]; n >= 0; n = this.tree.parent[n]) found.push(n);
    return found;
  }

  // Children of MAX (MIN) ancestors that are left (right) of the path: AMAX-LS, AMIN-LS, AMAX-RS, AMIN-RS.
  beside(node, maximizing, left) {
    const found = [];
    for (let below = node, n = this.tree.parent[node]; n >= 0; below = n, n = this.tree.parent[n]) {
      if (isMax(this.tree, n) !== maximizing) continue;
      const at = this.tree.children[n].indexOf(below);
      found.push(...left ? this.tree.children[n].slice(0, at) : this.tree.children[n].slice(at + 1));
    }
    return found;
  }

  upperAbove(node) {  // U_t
    return least(this.ancestors(node).filter((n) => !isMax(this.tree, n)).map((n) => this.upper[n]));
  }
  lowerAbove(node) {  // L_t
    return greatest(this.ancestors(node).filter((n) => isMax(this.tree, n)).map((n) => this.lower[n]));
  }
  isCut(node) {
    return larger(this.lowerAbove(node), this.lower[node]) >= smaller(this.upperAbove(node), this.upper[node]);
  }
  isPassedOver(node) {  // the preliminary test
    return this.lowerAbove(node) >= this.upperAbove(node);
  }

  lowerBeta(node) {
    return least(this.beside(node, this.side !== "max", true).map((n) => this.least(n)));
  }
  upperAlpha(node) {
    return greatest(this.beside(node, this.side === "max", true).map((n) => this.most(n)));
  }
  isEligible(node) {  // (A'): an infinity counts as greater than itself
    const beta = this.lowerBeta(node), alpha = this.upperAlpha(node);
    return beta > alpha || (beta === alpha && (beta === INF || beta === -INF));
  }
  isCertified(node) {
    return this.beside(node, this.side !== "max", true).every((n) => this.isCut(n));
  }
  strongestRival(node) {  // the upper alpha of AMAX-RS(P_k*)
    for (let step = node, above; (above = this.tree.parent[step]) >= 0; step = above) {
      if (this.own(above)) continue;
      const brothers = this.tree.children[above];
      const own = least(brothers.slice(0, brothers.indexOf(step)).map((n) => this.least(n)));
      if (own < this.lowerBeta(above)) return greatest(this.beside(step, this.side === "max", false).map((n) => this.most(n)));
    }
    return -INF;
  }
  resistsRivals(node) {  // (B')
    return this.lowerBeta(node) >= this.strongestRival(node);
  }

  // OPEN from left to right: no OPEN node is below another, so preorder does.
  openList() {
    return [...this.open].sort((a, b) => a - b);
  }

  select() {
    const open = this.openList();
    if (this.rule === "alphabeta" || !open.length) return open[0];
    const priority = open.map((node) => this.lowerBeta(node));
    return open[priority.indexOf(greatest(priority))];
  }

  explore(node) {
    this.open.delete(node);
    if (this.isPassedOver(node)) return "cut";
    this.explored.add(node);
    const children = this.tree.children[node];
    for (const child of children) {
      this.open.add(child);
      this.there.add(child);
    }
    if (!children.length) {
      this.lower[node] = this.upper[node] = this.tree.values[node];
      this.leaves.push(node);
    }
    for (const above of this.ancestors(node)) this.summarize(above);
    return children.length ? "expanded" : "evaluated";
  }
  summarize(node) {
    const best = isMax(this.tree, node) ? greatest : least, children = this.tree.children[node];
    this.lower[node] = best(children.map((child) => this.lower[child]));
    this.upper[node] = best(children.map((child) => this.upper[child]));
  }

  // The way in which exploring a node now departs from SSS* (dual SSS*); null if it does not.
  deviation(node) {
    if (this.isPassedOver(node)) return null;
    if (!this.isEligible(node)) return "I";
    if (!this.isCertified(node)) return "II";
    const open = this.openList(), infinite = open.filter((n) => this.lowerBeta(n) === INF);
    if (this.lowerBeta(node) === INF) return node === infinite[0] ? null : "V";
    if (infinite.length) return "III";
    return this.resistsRivals(node) ? null : "IV";
  }

  // The next node of a search that departs once, as soon as it can, in a way; and whether this is the departure.
  next(way) {
    const other = way && !this.departed && this.openList().find((node) => this.deviation(node) === way);
    if (other !== undefined && other !== null && other !== false) {
      this.departed = { node: other, at: this.explored.size };
      return other;
    }
    return this.select();
  }

  run(way = null) {
    for (let node; !this.solved && (node = this.next(way)) !== undefined;) this.explore(node);
    return this;
  }
}

// The search that departs, run up to the departure; null if it cannot depart on this tree.
function untilDeparture(tree, rule, way) {
  const search = new GSearch(tree, rule);
  for (let node; !search.solved && (node = search.next(way)) !== undefined; search.explore(node)) if (search.departed) return search;
  return null;
}

// What Stockman's SSS* (DUAL*) explores; at ties no less than GSEARCH's.
const exploredByStockman = (tree, rule) => new Stockman(tree, rule === "dual").run().visited;

function convicts(tree, rule, way) {
  const allowed = exploredByStockman(tree, rule);
  return [...new GSearch(tree, rule).run(way).explored].some((node) => !allowed.has(node));
}

// Beyond every leaf's value: 99, 999, ...
function extremeOf(tree) {
  const most = greatest(tree.leaves.map((leaf) => larger(tree.values[leaf], -tree.values[leaf])));
  let extreme = 99n;
  while (extreme <= most) extreme = 10n * extreme + 9n;
  return extreme;
}

const BRANCHINGS = 2000, BRANCH_SHAPES = [[2, 3], [2, 4], [3, 3]], ROOM = 1n << 10n;

// Values for the leaves that the search has not seen: each group of them extreme, then some at random.
function* fillings(search) {
  const { tree } = search, node = search.departed.node, group = new Array(tree.size).fill(0);
  [[false, true], [true, true], [false, false], [true, false]].forEach(([maximizing, left], i) => {
    for (const top of search.beside(node, maximizing, left)) for (let n = top; n <= tree.last[top]; n++) group[n] = i + 1;
  });
  const known = new Set(search.leaves), unseen = tree.leaves.filter((leaf) => !known.has(leaf));
  const filled = (value) => ({ ...tree, values: tree.values.map((old, n) => isLeaf(tree, n) && !known.has(n) ? value(n) : old) });
  if (!unseen.length) return;
  const extreme = extremeOf(tree);
  for (let pattern = 0; pattern < 32; pattern++) yield filled((n) => pattern >> group[n] & 1 ? extreme : -extreme);
  for (let seed = 0n; seed < 64n; seed++) yield filled((n) => mix(mix(seed) ^ BigInt(n)) % 100n);
}

// Way II: new branches below the left brothers; other OPEN nodes become leaves. Known leaves are moved apart, so that there is room.
function branched(search, seed) {
  const { tree } = search, spot = search.departed.node, known = new Set(search.leaves);
  const inside = new Set([...search.beside(spot, false, true), ...search.beside(spot, true, true)]);
  const values = search.leaves.length ? search.leaves.map((leaf) => tree.values[leaf]) : [0n];
  const between = [...new Set(values.filter((v) => v >= search.lower[0] && v < search.upper[0]))].sort((a, b) => a < b ? -1 : 1);
  const rooms = [least(values) - 1n, ...between, greatest(values)], [width, depth] = BRANCH_SHAPES[seed % BRANCH_SHAPES.length];
  const placed = (draw) => {
    const at = draw % (BigInt(rooms.length) * ROOM);
    return rooms[Number(at / ROOM)] * ROOM + at % ROOM;
  };
  const replaced = (nested) => Array.isArray(nested) ? nested.map(replaced) : placed(nested);
  const written = (node, within) => {
    within ||= inside.has(node);
    if (search.explored.has(node) && tree.children[node].length) return tree.children[node].map((child) => written(child, within));
    if (known.has(node)) return tree.values[node] * ROOM;
    const draw = mix(mix(BigInt(seed)) ^ BigInt(node));
    return within && node !== spot ? replaced(randomNested(width, depth, draw, 1n << 30n, false)) : placed(draw);
  };
  return makeTree(written(0, false));
}

// A tree on which the search that departs explores a node that SSS* does not; null if there is none to be found.
function witness(tree, rule, way) {
  const search = untilDeparture(tree, rule, way);
  if (!search) return null;
  for (const built of fillings(search)) if (convicts(built, rule, way)) return { tree: built, branched: false };
  for (let seed = 0; way === "II" && seed < BRANCHINGS; seed++) {
    const built = branched(search, seed);
    if (built.size <= LARGEST && convicts(built, rule, way)) return { tree: built, branched: true };
  }
  return null;
}
