// The view of GSEARCH: the search tree T step by step, with its bounds and conditions, and the ways to depart from SSS*.

const RULES = { alphabeta: "alpha-beta", sss: "SSS*", dual: "dual SSS*" };
const CHOICE = {
  alphabeta: "the leftmost OPEN node", sss: "the OPEN node of the largest β_, among equals the leftmost",
  dual: "the OPEN node of the smallest α^, among equals the leftmost",
};
const WAY = {
  I: "explores a node that is not eligible: β_ ≤ α^. Alpha-beta would cut it, on some tree (lemma 3.1).",
  II: "explores an eligible node that is not certified: a left brother at an ancestor is not cut yet (lemma 4.2).",
  III: "explores a certified, eligible node of finite β_ although a node of infinite β_ is OPEN (lemma 4.3).",
  IV: "explores a certified, eligible node that violates (B′): a rival to the right may be better (lemma 4.4).",
  V: "takes the nodes of infinite β_ in another order. No tree convicts it: it explores what SSS* explores (lemma 4.5).",
};
// Trees on which the departure is possible; in way II other values do not convict it, and new branches are needed.
const DEMOS = {
  sss: { I: "[[6, 4], [3, 8]]", II: "[[[5, 1], 3]]", III: "[[6, 4], [3, 8]]", IV: "[[2, 14], [7, 7]]", V: "[[6, 4], [3, 8]]" },
  dual: { I: "[[6, 4], [3, 8]]", II: "[[5, 1], 3]", III: "[[[5, 1], 3]]", IV: "[4, [[13, 0], [[7]]]]", V: "[[6, 4], [3, 8]]" },
};

class GSearchMode {
  constructor(page) {
    this.page = page;
    this.rule = "sss";
    this.way = null;     // that the search departs in
    this.convicting = false;
    this.wide = 70;      // pixels between leaves: two pairs of bounds are written there
  }

  load(tree) {
    this.convicting &&= tree === this.built;
    this.tree = tree;
    this.order = [];
    this.failure = "";
    try {
      const search = new GSearch(tree, this.rule);
      for (let node; !search.solved && (node = search.next(this.way)) !== undefined;) {
        this.order.push(node);
        search.explore(node);
      }
      this.departed = search.departed?.node;
      this.allowed = this.convicting ? exploredByStockman(tree, this.rule) : null;
    } catch (error) {
      if (!(error instanceof TreeError)) throw error;
      this.failure = error.message;
    }
    this.frame = Infinity;
  }

  get length() {
    return this.order.length;
  }

  goTo(frame) {
    if (frame < this.frame) {
      this.search = this.failure ? null : new GSearch(this.tree, this.rule);
      this.frame = 0;
      this.done = null;
    }
    while (this.frame < frame) {
      const node = this.order[this.frame++];
      this.done = { node, what: this.search.explore(node) };
    }
  }

  show(frame) {
    this.goTo(frame);
    this.next = this.order[frame];
    $("g-rule").value = this.rule;
    for (const button of document.querySelectorAll("[data-way]")) button.setAttribute("aria-pressed", button.dataset.way === this.way);
    $("g-ways").hidden = this.rule === "alphabeta";
    if (this.failure) {
      $("g-step").textContent = this.failure;
      for (const id of ["g-open", "g-verdict"]) $(id).innerHTML = "";
      return;
    }
    $("g-count").textContent = this.search.solved ? "" : this.search.open.size;
    $("g-step").innerHTML = this.told();
    $("g-open").innerHTML = this.search.openList().slice(0, SHOWN).map((node) => this.row(node)).join("");
    $("g-verdict").innerHTML = this.verdict();
  }

  row(node) {
    const { search } = this, plain = this.rule === "alphabeta";
    const marks = this.conditions(node).map(([short, holds, name]) => `<i class="${holds ? "yes" : "no"}" title="${name}">${short}</i>`).join("");
    const priority = plain ? "" : this.rule === "sss" ? `β_ ${text(search.lowerBeta(node))}` : `α^ ${text(-search.lowerBeta(node))}`;
    return `<li class="${node === this.next ? "next" : ""}"><span class="name">${this.tree.names[node]}</span>${marks}<span class="merit">${priority}</span></li>`;
  }

  conditions(node) {
    const { search } = this, side = this.rule === "dual" ? "MIN" : "MAX";
    return [["A′", search.isEligible(node), "eligible: β_ > α^"], ["C", search.isCertified(node), `left-${side}-certified`],
      ["B′", search.resistsRivals(node), "no rival to the right is better"], ["✂", search.isPassedOver(node), "precut: L_t ≥ U_t, it is passed over"]];
  }

  told() {
    const { search, done } = this, name = (node) => bold(this.tree, node);
    const before = !done ? "T is the root." : done.what === "cut" ? `${name(done.node)} was taken: L_t ≥ U_t, the preliminary test passes over it.`
      : done.what === "evaluated" ? `${name(done.node)} was evaluated: ${text(this.tree.values[done.node])}.`
        : `${name(done.node)} was expanded: ${this.tree.children[done.node].slice(0, 12).map(name).join(" ")}.`;
    if (this.next === undefined) return `${before} U_b = L_b at the root: the value is ${text(search.lower[0])}.`;
    const departs = this.next === this.departed && search.explored.size === this.departedAt();
    const rule = departs ? `<b class="bad">Way ${this.way}</b>: this search takes ${name(this.next)}, and ${RULES[this.rule]} would not.`
      : `Next: ${name(this.next)}, ${CHOICE[this.rule]}.`;
    return `${before} ${rule}`;
  }

  departedAt() {
    const search = new GSearch(this.tree, this.rule);
    for (const node of this.order) {
      if (node === this.departed) return search.explored.size;
      search.explore(node);
    }
    return -1;
  }

  // For dual SSS* the bounds change their names; (A′) reads the same.
  meaning() {
    const words = WAY[this.way];
    if (this.rule !== "dual") return words;
    return (this.way === "I" ? words : words.replaceAll("β_", "α^")).replaceAll("SSS*", "dual SSS*");
  }

  // What the departure has come to.
  verdict() {
    if (!this.way) return "";
    const words = `<p><b>Way ${this.way}</b>: the search ${this.meaning()}</p>`, name = RULES[this.rule];
    if (this.departed === undefined) return `${words}<p>On this tree it has no chance to. <button data-act="demo">a tree on which it has</button></p>`;
    if (this.way === "V") {
      const own = new GSearch(this.tree, this.rule).run().explored, all = new GSearch(this.tree, this.rule).run("V").explored;
      const same = own.size === all.size && [...own].every((node) => all.has(node));
      return `${words}<p>It departs at ${bold(this.tree, this.departed)}. At the end both have explored ${same ? "the same" : "OTHER"} ${all.size} nodes.</p>`;
    }
    if (this.allowed) {
      const more = this.order.filter((node) => this.search.explored.has(node) && !this.allowed.has(node));
      const named = [...new Set(more)].map((node) => bold(this.tree, node)).join(" ");
      const how = this.branched ? "No other values convict it; branches were added. " : "";
      return `${words}<p>${how}${more.length ? `Explored here, and never by ${name}: ${named} <i class="key outside"></i>` : `Step on: it will explore what ${name} never does.`}</p><p><button data-act="back">the first tree again</button></p>`;
    }
    return `${words}<p>It departs at ${bold(this.tree, this.departed)}. <button data-act="convict">the tree that convicts it</button></p>`;
  }

  choose(way) {
    this.way = this.way === way ? null : way;
    this.convicting = false;
    this.page.reload();
    if (this.departed !== undefined) this.page.show(this.order.indexOf(this.departed));
  }

  act(what) {
    if (what === "demo") this.page.load(parseTree(DEMOS[this.rule][this.way]));
    if (what === "back") {
      this.convicting = false;
      this.page.load(this.first);
    }
    if (what === "convict") {
      const found = witness(this.tree, this.rule, this.way);
      if (!found) return;
      Object.assign(this, { first: this.tree, convicting: true, built: found.tree, branched: found.branched });
      this.page.load(found.tree);
      this.page.show(this.length);
      return;
    }
    if (this.departed !== undefined) this.page.show(this.order.indexOf(this.departed));
  }

  // For the drawing

  get view() {
    const { search, tree } = this;
    if (!search) return { tree, open: new Map(), leaves: new Map(), purged: new Set(), table: new Map(), stack: [], seen: new Set(), move: null };
    const nodes = [...search.there];
    return {
      tree, turns: false, purged: new Set(), stack: [], seen: search.there, move: this.next === undefined ? null : { node: this.next },
      open: new Map([...search.open].map((node) => [node, { node, solved: false }])),
      leaves: new Map(search.leaves.map((leaf, i) => [leaf, i])),
      table: new Map(nodes.map((node) => [node, [search.lower[node], search.upper[node]]])),
      above: new Map(nodes.map((node) => [node, [search.lowerAbove(node), search.upperAbove(node)]])),
    };
  }

  get marks() {
    const { search } = this, classes = new Map();
    if (!search) return { classes };
    for (const node of search.open) {
      const eligible = search.isEligible(node), certified = search.isCertified(node);
      classes.set(node, [eligible && "eligible", certified && "certified", search.isPassedOver(node) && "precut"].filter(Boolean));
    }
    if (this.allowed) for (const node of search.explored) if (!this.allowed.has(node)) classes.set(node, [...classes.get(node) ?? [], "outside"]);
    return { classes };
  }

  about(node) {
    const { search } = this;
    if (!search) return "";
    const rows = [["L_b … U_b", search.lower[node], search.upper[node]], ["L_t … U_t", search.lowerAbove(node), search.upperAbove(node)]];
    const cut = search.isCut(node) ? "it is cut: max(L_t, L_b) ≥ min(U_t, U_b)" : "it is not cut";
    const own = search.open.has(node) ? this.conditions(node).map(([, holds, name]) => `${holds ? "✓" : "✗"} ${name}`).join(" · ") : "";
    const sign = this.rule === "dual" ? -1n : 1n;
    const terms = search.open.has(node)
      ? `${this.rule === "dual" ? "α^" : "β_"} ${text(sign * search.lowerBeta(node))}, ${this.rule === "dual" ? "β_" : "α^"} ${text(sign * search.upperAlpha(node))}, strongest rival ${text(sign * search.strongestRival(node))}` : "";
    if (!search.there.has(node)) return "it is not in T yet";
    return [...rows.map(([name, low, high]) => `${name}: ${text(low)} … ${text(high)}`), cut, terms, own].filter(Boolean).join(" · ");
  }
}
