// The game judged as `sssnake analyse` judges it: accuracy, marks, a list of mistakes.

import { MARKS, SIGNS } from "./moves.js";
import { attempt, find, say } from "./ui.js";

const BAD = [4, 2, 6]; // blunder, mistake, inaccuracy
const NAGS = { "??": 4, "?": 2, "?!": 6 };

export class Review {
  constructor(game, link, page) {
    Object.assign(this, { game, link, page });
    find("review").onclick = attempt(() => this.run());
    find("mistakes").onclick = ({ target }) => {
      const one = game.nodes.get(Number(target.closest("button")?.dataset.id));
      if (one) page.choose(one);
    };
    find("depth-of-review").value = game.depth;
    find("depth-of-review").onchange = ({ target }) => { game.depth = target.value; game.save(); };
  }

  get running() { return this.link.job?.what === "review"; }

  async run() {
    const { game, link, page } = this;
    find("review").disabled = true;
    await page.settled(); // a move may be on its way
    const main = [game.root];
    while (main.at(-1).next.length) main.push(main.at(-1).next[0]);
    page.lines.clear();
    let done = 0;
    await link.work("review", { nodes: Number(game.depth) }, attempt(async (event) => {
      if (event.event === "evaluated") {
        Object.assign(main[event.ply], { score: event.score, expected: event.expected });
        find("progress").textContent = `${++done} of ${main.length} positions`;
        return page.judged();
      }
      if (event.event === "reviewed") { game.lost = event.lost; return; }
      link.job = null;
      find("review").disabled = false;
      find("progress").textContent = "";
      if (event.event === "failed") { this.show(); throw new Error(event.error); }
      const { path, ply } = game;
      game.take(event, path, ply);
      page.kept();
      say(`The game is reviewed. ${this.words()}`);
      await page.show();
    }));
    this.show(); // table and graph have their places from the beginning
    page.judged();
  }

  main() {
    const found = [];
    for (let one = this.game.root.next[0]; one; one = one.next[0]) found.push(one);
    return found;
  }

  // As the summary in the comment before the first move has them: an author's own marks may say something else.
  counts(side) {
    const found = new RegExp(`${side}: accuracy (?:unknown|[\\d.]+ %), (\\d+) inaccurac\\w+, (\\d+) mistakes?, (\\d+) blunders?`).exec(this.game.root.comment);
    return found ? [found[3], found[2], found[1]] : ["–", "–", "–"];
  }

  words() {
    return ["White", "Black"].map((side) => {
      const [blunders, mistakes, inaccuracies] = this.counts(side), share = this.game.tags[`${side}Accuracy`];
      return `${side}: ${share ? `accuracy ${share} %, ` : ""}${inaccuracies} inaccuracies, ${mistakes} mistakes, ${blunders} blunders`;
    }).join(". ");
  }

  show() {
    if (!this.running) find("progress").textContent = "";
    const { game } = this, reviewed = game.root.comment?.includes("Analysed by SSSnake");
    find("verdict").hidden = !reviewed && !this.running;
    if (!reviewed) return this.empty();
    for (const side of ["White", "Black"]) {
      const row = find(`of-${side.toLowerCase()}`).cells, [blunders, mistakes, inaccuracies] = this.counts(side);
      [`${game.tags[`${side}Accuracy`] ?? "–"} %`, inaccuracies, mistakes, blunders].forEach((text, index) => { row[index + 1].textContent = text; });
    }
    find("mistakes").replaceChildren(...this.main().flatMap((one) => {
      const known = game.lost?.[one.ply - 1], nag = known ? NAGS[known.mark] : BAD.find((bad) => one.nags.includes(bad));
      return BAD.includes(nag) ? [this.item(one, nag, known)] : [];
    }));
  }

  // The table has its place while the review runs.
  empty() {
    for (const cell of find("verdict").querySelectorAll("td")) cell.textContent = "–";
    find("mistakes").replaceChildren();
  }

  item(one, nag, known) {
    const item = document.createElement("li"), button = document.createElement("button"), said = document.createElement("span");
    button.dataset.id = one.id;
    button.className = `nag${nag}`;
    button.textContent = `${this.game.number(one)} ${one.san}${SIGNS[nag]}`;
    said.textContent = known ? `${known.lost.toFixed(2)} of a point lost. Best: ${known.best}` : one.comment || MARKS[nag];
    item.append(button, said);
    return item;
  }
}
