// The drawing of a tree: layout, folding, zoom and overview.

const DX = 46, NARROW = 31, DY = 96, EDGE = 40, FOOT = 30;  // pixels between leaves (most, least), least between plies, around, below
const DIGIT = 8.5;  // pixels of a leaf's value
const NEAREST = 3, READABLE = 0.85;  // scales: the largest, and the least at which names can be read, at 11 pixels
const SURVEYED = 150;  // nodes; a larger tree is shown as a whole at first, even if its names cannot be read
const STRIP = 64;  // pixels: the height of the overview

class Drawing {
  constructor(svg, overview) {
    this.svg = svg;
    this.overview = overview;
    this.world = svg.querySelector("#world");
    this.folded = new Set();
    this.at = { x: 0, y: 0, k: 1 };
    this.widest = DX;  // pixels between leaves, where there is room
    this.listen();
  }

  load(tree, labels, folded) {
    this.tree = tree;
    this.labels = labels;
    this.folded = new Set(folded);
    this.picked = null;
    this.arrange();
  }

  // Folding

  fold(node) {
    if (isLeaf(this.tree, node)) return;
    if (!this.folded.delete(node)) this.folded.add(node);
    this.arrange(true);
  }

  foldAll(nodes) {
    this.folded = new Set(nodes);
    this.arrange();
  }

  // The node itself, or the folded ancestor that hides it.
  shownAs(node) {
    return this.cover[node];
  }

  // Layout: visible leaves in a row, every other node above the middle of its children.
  arrange(keep = false) {
    const { tree, folded } = this;
    this.cover = new Array(tree.size);
    this.visible = [];
    for (let node = 0; node < tree.size; node++) {
      this.visible.push(node);
      this.cover[node] = node;
      if (folded.has(node)) for (const top = node; node < tree.last[top];) this.cover[++node] = top;
    }
    this.x = new Array(tree.size);
    const ends = this.visible.filter((node) => isLeaf(tree, node) || folded.has(node));
    const dx = this.dx(ends);
    ends.forEach((node, column) => { this.x[node] = EDGE + dx * column; });
    for (let i = this.visible.length - 1; i >= 0; i--) {
      const node = this.visible[i], children = tree.children[node];
      if (this.x[node] === undefined) this.x[node] = (this.x[children[0]] + this.x[children.at(-1)]) / 2;
    }
    this.width = dx * (ends.length - 1) + 2 * EDGE;
    this.depth = this.visible.reduce((most, node) => Math.max(most, tree.ply[node]), 1);
    this.dy = this.fittingDy(this.at.k);
    this.edges = null;
    this.build();
    if (keep) this.place(); else this.open();
    if (this.view?.tree === this.tree) this.update(this.view, this.marks, this.hue);
  }

  // Leaves stand closer together where that makes names readable, but not so close that values touch.
  dx(ends) {
    const digits = ends.reduce((most, node) => Math.max(most, isLeaf(this.tree, node) ? text(this.tree.values[node]).length : 0), 0);
    const least = Math.max(this.widest - DX + NARROW, DIGIT * digits + 6);
    const fitting = (this.svg.clientWidth / READABLE - 2 * EDGE) / Math.max(1, ends.length - 1);
    return Math.max(least, Math.min(this.widest, fitting));
  }

  y(node) {
    return EDGE + this.dy * this.tree.ply[node];
  }

  get height() {
    return this.depth * this.dy + 2 * EDGE + FOOT;
  }

  // The plies stand so far apart that the tree fills the stage at this scale, or farther.
  fittingDy(k) {
    return Math.max(DY, (this.svg.clientHeight / k - 2 * EDGE - FOOT) / this.depth);
  }

  stretch(dy) {
    if (Math.abs(dy - this.dy) * this.at.k < 0.5) return;
    this.dy = dy;
    this.edges = null;
    for (const [node, { group, edge }] of this.parts) {
      group.setAttribute("transform", `translate(${this.x[node]},${this.y(node)})`);
      edge?.setAttribute("d", this.line(node));
    }
  }

  line(node) {
    const parent = this.tree.parent[node];
    return `M${this.x[parent]} ${this.y(parent)}L${this.x[node]} ${this.y(node)}`;
  }

  build() {
    const { tree } = this, edges = [], nodes = [];
    for (const node of this.visible) {
      const parent = tree.parent[node];
      if (parent >= 0) edges.push(`<path class="edge" d="${this.line(node)}"/>`);
      nodes.push(this.shape(node));
    }
    this.svg.querySelector("#edges").innerHTML = edges.join("");
    this.svg.querySelector("#nodes").innerHTML = nodes.join("");
    const groups = this.svg.querySelectorAll("#nodes > g"), paths = this.svg.querySelectorAll("#edges > path");
    this.parts = new Map();
    this.visible.forEach((node, i) => this.parts.set(node, { group: groups[i], edge: paths[i - 1], state: "", path: "edge" }));
  }

  shape(node) {
    const { tree } = this, leaf = isLeaf(tree, node), hidden = this.folded.has(node) ? tree.last[node] - node : 0;
    const form = isMax(tree, node) ? '<rect class="shape" x="-14" y="-14" width="28" height="28" rx="5"/>' : '<circle class="shape" r="15"/>';
    let inner = `${form}<text>${tree.names[node]}</text>`;
    if (leaf) inner += `<text class="value" y="28">${text(tree.values[node])}</text>`;
    if (hidden) inner += `<path class="shape" d="M-10 19h20M-6 24h12"/><text class="folded" y="36">+${hidden}</text>`;
    if (this.labels?.[node]) inner += `<text class="move" y="-24">${this.labels[node]}</text>`;
    return `<g class="node" data-node="${tree.names[node]}" data-id="${node}" transform="translate(${this.x[node]},${this.y(node)})">${inner}</g>`;
  }

  // Shows a state of the searches: only what has changed is touched.
  update(view, marks, hue) {
    const solution = new Set(), called = new Set(view.stack.map((node) => this.cover[node]));
    if (view.turns !== false) for (const { node } of view.open.values()) for (let n = this.cover[node]; n > 0 && !solution.has(n); n = this.tree.parent[n]) solution.add(n);
    const hides = this.hiddenStates(view);
    for (const [node, part] of this.parts) {
      const classes = ["node"], rank = view.leaves.get(node), state = view.open.get(node) ?? hides.get(node);
      if (!view.seen.has(node) && !state) classes.push("unseen");
      if (state) classes.push("onopen");
      if (view.open.get(node)?.solved) classes.push("solved");
      if (marks.purged && view.purged.has(node)) classes.push("purged");
      if (marks.visits?.has(node)) classes.push("visits");
      classes.push(...marks.classes?.get(node) ?? []);
      if (view.move && this.cover[view.move.node] === node) classes.push("now");
      if (this.picked === node) classes.push("picked");
      const bounds = isLeaf(this.tree, node) ? null : view.table.get(node), above = view.above?.get(node);
      const written = `${classes.join(" ")}|${rank ?? ""}|${bounds ?? ""}|${above ?? ""}`;
      if (written !== part.state) this.dress(node, part, classes, rank, bounds, above, hue);
      part.state = written;
      if (!part.edge) continue;
      const path = ["edge", solution.has(node) && "solution", called.has(node) && "called", marks.visits?.has(node) && "visits",
        marks.lower?.has(node) && "lower", marks.upper?.has(node) && "upper"].filter(Boolean).join(" ");
      if (path !== part.path) part.edge.setAttribute("class", part.path = path);
    }
    Object.assign(this, { view, marks, hue });
    this.drawOverview();
  }

  // A folded node stands for the states of OPEN that it hides.
  hiddenStates(view) {
    const hides = new Map();
    if (this.folded.size) for (const state of view.open.values()) if (this.cover[state.node] !== state.node) hides.set(this.cover[state.node], state);
    return hides;
  }

  dress(node, { group }, classes, rank, bounds, above, hue) {
    group.setAttribute("class", classes.join(" "));
    const evaluated = rank !== undefined;
    group.firstChild.style.fill = evaluated ? hue(rank) : "";
    group.children[1].style.fill = evaluated ? "#23242a" : "";
    // What a node does not have is not there: large trees have few nodes that were visited.
    const write = (name, words, y) => {
      let label = group.querySelector(`.${name}`);
      if (!label && !words) return;
      if (!label) group.insertAdjacentHTML("beforeend", `<text class="${name}" y="${y}"></text>`);
      label ??= group.lastChild;
      label.textContent = words;
    };
    write("order", evaluated ? `${rank + 1}.` : "", 45);
    write("above", above ? `${text(above[0])} … ${text(above[1])}` : "", -24);
    write("bounds", bounds ? `${text(bounds[0])} … ${text(bounds[1])}` : "", this.folded.has(node) ? -24 : 25);
    if (classes.includes("purged") && !group.querySelector(".cross")) group.insertAdjacentHTML("beforeend", '<path class="cross" d="M10 -18l9 9M19 -18l-9 9"/>');
  }

  // Zoom

  // At first: the whole tree if its names can be read, or if there are too many of them; else a part with the root.
  open() {
    this.fit();
    if (this.at.k >= READABLE || this.visible.length > SURVEYED) return;
    this.fitted = false;
    const k = READABLE, x = this.svg.clientWidth / 2 - k * this.x[0];
    this.at = { k, x: Math.min(0, Math.max(x, this.svg.clientWidth - k * this.width)), y: 0 };
    if (k * this.width < this.svg.clientWidth) this.at.x = x;
    this.place();
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.svg, least = this.depth * DY + 2 * EDGE + FOOT;
    const k = Math.min(1.6, width / this.width, height / least) || 1;
    this.at = { k, x: (width - k * this.width) / 2, y: 0 };
    this.fitted = true;
    this.place();
  }

  // The stage has another size.
  resize() {
    if (this.fitted) this.arrange(); else this.place();
  }

  place() {
    const { clientHeight: height } = this.svg;
    this.stretch(this.fittingDy(this.at.k));
    if (this.height * this.at.k <= height + 1) this.at.y = 0;
    const { x, y, k } = this.at;
    this.world.setAttribute("transform", `translate(${x},${y}) scale(${k})`);
    this.svg.classList.toggle("far", k < READABLE);
    this.drawOverview();
  }

  // Zooms around a point of the stage.
  zoom(factor, cx = this.svg.clientWidth / 2, cy = this.svg.clientHeight / 2) {
    const least = Math.min(1, this.svg.clientWidth / this.width, this.svg.clientHeight / this.height) / 2;
    const k = Math.min(NEAREST, Math.max(least, this.at.k * factor)), ratio = k / this.at.k;
    this.fitted = false;
    const ply = ((cy - this.at.y) / this.at.k - EDGE) / this.dy;
    this.at = { k, x: cx - (cx - this.at.x) * ratio, y: cy - k * (EDGE + ply * this.fittingDy(k)) };
    this.place();
  }

  centre(x, y) {
    this.fitted = false;
    this.at.x = this.svg.clientWidth / 2 - x * this.at.k;
    this.at.y = this.svg.clientHeight / 2 - y * this.at.k;
    this.place();
  }

  // Moves the picture if the node is outside.
  reveal(node) {
    if (this.fitted) return;
    const shown = this.cover[node], { x, y, k } = this.at;
    const [px, py] = [x + k * this.x[shown], y + k * this.y(shown)];
    const inside = px > 20 && py > 15 && px < this.svg.clientWidth - 20 && py < this.svg.clientHeight - 30;
    if (!inside) this.centre(this.x[shown], this.y(shown));
  }

  listen() {
    const points = new Map();
    let moved = 0;
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / (event.deltaMode ? 20 : 400)), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      points.set(event.pointerId, [event.clientX, event.clientY]);
      moved = 0;
    });
    this.svg.addEventListener("pointermove", (event) => {
      const old = points.get(event.pointerId);
      if (!old) return;
      const now = [event.clientX, event.clientY], [dx, dy] = [now[0] - old[0], now[1] - old[1]];
      moved += Math.abs(dx) + Math.abs(dy);
      if (moved > 4) this.svg.setPointerCapture?.(event.pointerId);
      const other = [...points].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {  // two fingers
        const spread = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
        const box = this.svg.getBoundingClientRect();
        this.zoom(spread(now) / spread(old), other[0] - box.left, other[1] - box.top);
      } else {
        this.fitted = false;
        this.at.x += dx;
        this.at.y += dy;
        this.place();
      }
      points.set(event.pointerId, now);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) this.svg.addEventListener(name, (event) => points.delete(event.pointerId));
    const nodeOf = (event) => event.target.closest?.(".node")?.dataset.id;
    this.svg.addEventListener("click", (event) => {
      if (moved <= 4 && nodeOf(event) !== undefined) this.onpick?.(Number(nodeOf(event)));
    });
    this.svg.addEventListener("dblclick", (event) => {
      if (nodeOf(event) !== undefined) this.onfold?.(Number(nodeOf(event)));
    });
    const go = (event) => {
      if (!event.buttons) return;
      const box = this.overview.getBoundingClientRect(), scale = this.overviewScale();
      this.centre((event.clientX - box.left) / scale.x, (event.clientY - box.top) / scale.y);
    };
    this.overview.addEventListener("pointerdown", go);
    this.overview.addEventListener("pointermove", go);
  }

  // Overview: the whole tree small, leaves in the colours of their evaluation, and the part that is on the stage.

  overviewScale() {
    return { x: this.overview.width / this.width, y: this.overview.height / this.height };
  }

  edgesOfOverview(scale) {
    const edges = new Path2D();
    for (const node of this.visible) {
      const parent = this.tree.parent[node];
      if (parent < 0) continue;
      edges.moveTo(this.x[parent] * scale.x, this.y(parent) * scale.y);
      edges.lineTo(this.x[node] * scale.x, this.y(node) * scale.y);
    }
    return edges;
  }

  drawOverview() {
    if (this.overview.width !== this.svg.clientWidth) {
      this.overview.width = this.svg.clientWidth;
      this.overview.height = STRIP;
      this.edges = null;
    }
    const whole = this.at.x >= -1 && this.at.y >= -1 && this.at.x + this.at.k * this.width <= this.svg.clientWidth + 1;
    this.overview.hidden = whole && this.at.k >= READABLE;
    if (this.overview.hidden) return;
    const paint = this.overview.getContext("2d"), scale = this.overviewScale(), style = getComputedStyle(document.body);
    const colour = (name) => style.getPropertyValue(name);
    this.edges ??= this.edgesOfOverview(scale);
    paint.clearRect(0, 0, this.overview.width, this.overview.height);
    paint.lineWidth = 0.6;
    paint.strokeStyle = colour("--soft");
    paint.stroke(this.edges);
    for (const [leaf, rank] of this.view?.tree === this.tree ? this.view.leaves : []) {
      const shown = this.cover[leaf];
      paint.fillStyle = this.hue(rank);
      paint.fillRect(this.x[shown] * scale.x - 1, this.y(shown) * scale.y - 2, 2, 5);
    }
    const { x, y, k } = this.at;
    paint.lineWidth = 1.5;
    paint.strokeStyle = colour("--both");
    paint.strokeRect(-x / k * scale.x, -y / k * scale.y, this.svg.clientWidth / k * scale.x, this.svg.clientHeight / k * scale.y);
  }
}
