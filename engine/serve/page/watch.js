// Watching SSS*: the passes of three drivers on the same position, depth after depth.

import { draw, scaleOf } from "./chart.js";
import { pawns } from "./scale.js";
import { find } from "./ui.js";

const DRIVERS = {
  literal: ["SSS*, to the letter", "Gamma is always the last answer. It begins at +∞; each pass that says “no” lowers the ceiling, the first “yes” is the value."],
  default: ["SSSnake’s SSS*", "The same descent in larger steps: the second pass asks just above the value of the last depth."],
  pvs: ["PVS, for comparison", "The usual alpha-beta: one window around the last value. It is opened and searched again if the value lies outside."],
};
const FIRST_DEPTH = 3, PLAYED = 1800, PAUSE = 500; // milliseconds
const NODES = 300_000, MOST_NODES = 2_000_000;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Watch {
  constructor(link, say) {
    Object.assign(this, { link, say, nodes: NODES });
    this.empty();
    Object.assign(this, { slider: find("depth"), output: find("depth-shown"), box: find("charts") });
    this.slider.oninput = () => this.rest(Number(this.slider.value));
    find("replay").onclick = () => this.play(FIRST_DEPTH);
    find("longer").onclick = () => { if (!this.request) return; this.nodes = Math.min(MOST_NODES, 4 * this.nodes); this.run(this.request, this.position); };
    this.longer = find("longer");
    this.columns = Object.fromEntries(Object.entries(DRIVERS).map(([name, words]) => [name, this.column(name, ...words)]));
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  column(name, title, what) {
    const article = document.createElement("article");
    article.className = name;
    const part = (tag, className, text = "") => {
      const element = document.createElement(tag);
      element.className = className;
      element.textContent = text;
      article.append(element);
      return element;
    };
    part("h3", "", title);
    part("p", "what", what);
    const facts = part("p", "facts"), chart = part("div", "chart");
    chart.role = "img";
    const note = part("p", "note");
    part("h4", "", "Bounds of the root moves");
    const roots = part("div", "roots");
    this.box.append(article);
    return { article, facts, chart, note, roots };
  }

  empty() { this.depths = Object.fromEntries(Object.keys(DRIVERS).map((name) => [name, []])); } // passes by depth

  async run(request, position) {
    Object.assign(this, { request, position, depth: 0, ended: false });
    this.empty();
    this.longer.disabled = this.nodes >= MOST_NODES;
    cancelAnimationFrame(this.frame);
    find("over").hidden = position.searchable;
    find("charts").hidden = find("replay").disabled = !position.searchable;
    this.longer.disabled ||= !position.searchable;
    if (!position.searchable) {
      this.say(find("over").textContent);
      return this.link.stop();
    }
    await this.link.work("watch", { ...request, nodes: this.nodes }, (event) => this.receive(event));
    this.play(FIRST_DEPTH);
  }

  receive(event) {
    if (event.event === "pass") {
      const depths = this.depths[event.driver];
      (depths[event.depth] ??= []).push(event);
    } else if (event.event === "failed") {
      this.say(event.error);
    } else this.ended = true;
    this.slider.max = Math.max(1, this.deepest);
  }

  // The deepest iteration that all three have finished: the one after it has begun, in all of them.
  get deepest() {
    return Math.max(0, Math.min(...Object.values(this.depths).map((depths) => depths.length - 1)) - 1);
  }

  play(depth) {
    this.depth = depth;
    this.since = performance.now();
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.step());
  }

  step() {
    if (this.deepest < this.depth) {
      this.since = performance.now();
      if (this.ended) return this.rest(Math.min(this.depth, this.deepest));
    } else {
      const passed = performance.now() - this.since;
      this.share = still.matches ? 1 : Math.min(1, passed / PLAYED);
      this.draw();
      if (passed > PLAYED + PAUSE) {
        if (this.depth === this.deepest && this.ended) return this.tell();
        if (this.depth < this.deepest) return this.play(this.depth + 1);
      }
    }
    this.frame = requestAnimationFrame(() => this.step());
  }

  leave() { cancelAnimationFrame(this.frame); }

  // One depth, finished.
  rest(depth) {
    cancelAnimationFrame(this.frame);
    Object.assign(this, { depth, share: 1 });
    this.draw();
    this.tell();
  }

  iteration(name) { return this.depths?.[name][this.depth]; }

  draw() {
    if (!this.depth || this.deepest < this.depth || !this.box.clientWidth) return;
    const all = Object.keys(DRIVERS).map((name) => this.iteration(name));
    const scale = scaleOf(all.map((passes) => passes.at(-1).lower ?? passes.at(-1).upper ?? 0));
    const most = Math.max(...all.flat().map((pass) => pass.nodes), 1);
    this.slider.value = this.depth;
    this.output.textContent = this.depth;
    for (const [name, column] of Object.entries(this.columns)) {
      const passes = this.iteration(name), progress = this.share * passes.length;
      const [chart, roots] = draw(passes, progress, scale, most, column.article.clientWidth, this.position.legal);
      column.chart.replaceChildren(chart);
      column.roots.replaceChildren(roots);
      column.note.textContent = contradicted(passes.slice(0, Math.floor(progress)));
      column.facts.textContent = this.facts(passes.slice(0, Math.floor(progress)));
      column.chart.ariaLabel = `Value ${pawns(passes.at(-1).lower ?? passes.at(-1).upper)} at depth ${this.depth}`;
    }
  }

  facts(passes) {
    const nodes = passes.reduce((sum, pass) => sum + pass.nodes, 0);
    return `${passes.length} pass${passes.length === 1 ? "" : "es"}, ${nodes.toLocaleString("en")} nodes`;
  }

  tell() {
    const told = Object.entries(DRIVERS).map(([name, [title]]) => {
      const passes = this.iteration(name);
      return passes ? `${title}: ${this.facts(passes)}, value ${pawns(passes.at(-1).lower ?? passes.at(-1).upper)}` : "";
    });
    this.say(`Depth ${this.depth}. ${told.join(". ")}`);
  }
}

// Whether a pass has proved the opposite of what an earlier one had: in a mate, or where a rule depends on the window.
function contradicted(passes) {
  const at = passes.findIndex((pass, index) => index && ((passes[index - 1].upper !== null && pass.upper === null)
    || (passes[index - 1].lower !== null && pass.lower === null)));
  if (at < 0) return "";
  const before = passes[at - 1], after = passes[at], high = before.upper !== null && after.upper === null;
  return `Pass ${at + 1} answers ${high ? "at least" : "at most"} ${pawns(after.value)}, and an earlier pass had said ${high ? "at most" : "at least"} `
    + `${pawns(high ? before.upper : before.lower)}: both cannot be true, so the older bound is forgotten and that side is open again, to ${high ? "+∞" : "−∞"}.`;
}
