// The return values of alpha-beta: m the minimax value, a what it returns with the window (alpha, beta), which moves.

const POSITIONS = 400;

class WindowMode {
  constructor(page) {
    this.page = page;
    this.width = 1n;  // 1: a null window
  }

  // Where alpha can stand: from below the least leaf to the greatest, at every integer if there are not too many.
  load(tree) {
    this.tree = tree;
    this.m = minimaxValues(tree)[0];
    const values = tree.leaves.map((leaf) => tree.values[leaf]), low = least(values) - this.width - 1n, high = greatest(values) + 1n;
    const step = larger(1n, (high - low) / BigInt(POSITIONS) + ((high - low) % BigInt(POSITIONS) ? 1n : 0n));
    this.alphas = [];
    for (let alpha = low; alpha <= high; alpha += step) this.alphas.push(alpha);
    this.full = alphaBeta(tree);
    [this.low, this.high] = [low, high + this.width];
  }

  get length() {
    return this.alphas.length - 1;
  }

  show(frame) {
    const alpha = this.alpha = this.alphas[frame], beta = this.beta = alpha + this.width;
    this.result = alphaBeta(this.tree, alpha, beta);
    const { m, result } = this, a = result.value, hard = smaller(larger(m, alpha), beta);
    const row = m <= alpha ? 0 : m < beta ? 1 : 2;
    $("w-null").checked = this.width === 1n;
    $("w-width").value = this.width;
    $("w-now").innerHTML = `α = <b>${text(alpha)}</b>, β = <b>${text(beta)}</b>, m = <b>${text(m)}</b>, a = <b>${text(a)}</b>`;
    $("w-line").innerHTML = this.line(a);
    const law = [`m ≤ α, so m ≤ a ≤ α: ${text(m)} ≤ ${text(a)} ≤ ${text(alpha)}. The window is too high; a is an upper bound.`,
      `α < m < β, so a = m = ${text(a)}: the right value.`, `β ≤ m, so β ≤ a ≤ m: ${text(beta)} ≤ ${text(a)} ≤ ${text(m)}. The window is too low; a is a lower bound.`];
    ["m ≤ α", "α < m < β", "β ≤ m"].forEach((_, i) => $("w-laws").rows[i].classList.toggle("now", i === row));
    $("w-law").textContent = law[row];
    const asked = this.width === 1n ? ` The question is: is the value at least ${text(beta)}? ${a >= beta ? "Yes" : "No"}; no integer lies between α and β, so there is no other answer.` : "";
    $("w-cost").textContent = `${result.leaves.length} leaves are evaluated, ${this.full.leaves.length} with the full window.${asked} Fail-hard, it would return ${text(hard)}.`;
  }

  // The number line.
  line(a) {
    const span = this.high - this.low || 1n, x = (value) => 20 + Number(larger(this.low, smaller(value, this.high)) - this.low) * 260 / Number(span);
    const mark = (value, name, y, kind) => `<path class="${kind}" d="M${x(value)} 34V46"/><text class="${kind}" x="${x(value)}" y="${y}">${name}</text>`;
    return `<svg viewBox="0 0 300 84" role="img" aria-label="m, a and the window on a line"><path class="axis" d="M10 40H290"/>
      <rect class="window" x="${x(this.alpha)}" y="35" width="${Math.max(2, x(this.beta) - x(this.alpha))}" height="10"/>
      ${mark(this.alpha, "α", 26, "bound")}${mark(this.beta, "β", 26, "bound")}${mark(this.m, "m", 62, "m")}${mark(a, "a", 76, "a")}</svg>`;
  }

  set(width) {
    const at = this.alpha;
    this.width = width;
    this.load(this.tree);
    this.page.show(Math.max(0, this.alphas.findIndex((alpha) => alpha >= at)));
  }

  get view() {
    const { result, tree } = this;
    return {
      tree, open: new Map(), purged: new Set(), table: new Map(), stack: [], seen: result.visited, move: { node: 0 },
      leaves: new Map(result.leaves.map((leaf, i) => [leaf, i])),
    };
  }

  get marks() {
    return { visits: this.result.visited };
  }

  about(node) {
    return this.result.visited.has(node) ? "this window’s search visits it" : "this window’s search does not visit it";
  }
}
