// The race: searches of the same tree, one leaf evaluation each at a time. Memory is what a search has to keep: the states on OPEN, or
// the inner nodes stored in the transposition table; depth-first searches keep their path, one node a ply.

const RUNNERS = { alphabeta: "alpha-beta", scout: "Scout", sss: "SSS*", dual: "DUAL*", "mtd+inf": "MTD(+∞)", mtdf: "MTD(f)" };
const SECONDS = 6;  // that the longest search takes

class Race {
  constructor(body, hue) {
    this.body = body;
    this.hue = hue;
    this.timer = null;
  }

  load(tree, guess) {
    this.stop();
    this.tree = tree;
    this.runners = Object.entries(RUNNERS).map(([key, name]) => ({ name, result: SEARCHES[key](tree, guess), seen: new Set(), at: 0 }));
    this.body.innerHTML = this.runners.map(({ name }) =>
      `<tr data-runner="${name}"><td>${name}</td><td><canvas></canvas></td><td>0</td><td>0</td><td></td><td></td><td></td><td></td></tr>`).join("");
    this.runners.forEach((runner, i) => {
      runner.row = this.body.rows[i];
      runner.canvas = runner.row.querySelector("canvas");
      runner.canvas.width = Math.max(400, Math.min(4000, tree.leaves.length));
      runner.canvas.height = 16;
    });
    this.length = Math.max(...this.runners.map(({ result }) => result.evaluations));
  }

  // Lets every search evaluate up to `count` leaves.
  goTo(count) {
    for (const runner of this.runners) {
      const { result, seen, canvas, row } = runner, paint = canvas.getContext("2d"), wide = canvas.width / this.tree.leaves.length;
      for (; runner.at < Math.min(count, result.evaluations); runner.at++) {
        const leaf = result.order[runner.at], again = seen.has(leaf);
        seen.add(leaf);
        paint.fillStyle = again ? "#23242a" : this.hue(seen.size - 1, result.leaves.length);  // a repetition leaves a mark
        const x = this.tree.leafNumber[leaf] * wide;
        paint.fillRect(x, again ? 11 : 0, Math.max(1, wide - (wide > 3 ? 1 : 0)), again ? 3 : 16);
      }
      row.cells[2].textContent = seen.size;
      row.cells[3].textContent = runner.at;
      if (runner.at < result.evaluations) continue;
      row.className = "done";
      row.cells[4].textContent = result.nodes;
      row.cells[5].textContent = result.openMax ? "–" : result.passes.length || 1;  // OPEN knows no passes
      row.cells[6].textContent = result.openMax ? `OPEN ${result.openMax}` : result.entries ? `table ${result.entries}` : `path ${this.tree.depth + 1}`;
      row.cells[7].textContent = text(result.value);
    }
  }

  start() {
    if (this.runners.every(({ at, result }) => at === result.evaluations)) return;
    const begun = performance.now(), from = this.runners.reduce((most, { at }) => Math.max(most, at), 0);
    const pace = Math.max(this.length / SECONDS, 4);
    const tick = (now) => {
      const count = from + Math.floor((now - begun) / 1000 * pace) + 1;
      this.goTo(count);
      this.timer = count < this.length ? requestAnimationFrame(tick) : null;
    };
    this.timer = requestAnimationFrame(tick);
  }

  stop() {
    cancelAnimationFrame(this.timer);
    this.timer = null;
  }
}
