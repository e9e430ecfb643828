// The moves: one button each, the one shown marked, with marks, comments and clocks. Variations stand below the move
// that they replace. The Tab key finds one of them, that of the move shown; arrow keys take it along.

export const SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓",
  18: "+−", 19: "−+", 22: "⨀", 23: "⨀", 36: "↑", 40: "→", 132: "⇆", 138: "⊕", 146: "N" };
export const MARKS = { 1: "good move", 2: "mistake", 3: "brilliant move", 4: "blunder", 5: "interesting move", 6: "inaccuracy" };

export const signs = ({ nags }) => nags.map((nag) => SIGNS[nag] ?? `$${nag}`).join(" ");

export class Moves {
  constructor(list, onChoose) {
    Object.assign(this, { list, onChoose });
    list.onclick = ({ target }) => {
      const one = this.game?.nodes.get(Number(target.closest("button")?.dataset.id));
      if (one) onChoose(one);
    };
  }

  // The list is built when the game has changed; otherwise only the mark goes on.
  show(game) {
    const { list } = this, focused = list.contains(document.activeElement);
    this.game = game;
    if (game.changed) {
      game.changed = false;
      this.buttons = new Map();
      list.replaceChildren();
      if (game.root.comment) list.append(note("li", game.root.comment));
      if (game.root.next.length) this.addLine(list, game.root.next);
      else if (!game.root.comment) list.append(note("li", "none yet", "none"));
    }
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.buttons.get(game.here.id);
    current?.setAttribute("aria-current", "step");
    if (this.stop) this.stop.tabIndex = -1;
    this.stop = current ?? list.querySelector("button");
    if (this.stop) this.stop.tabIndex = 0;
    if (focused) this.stop?.focus({ preventScroll: true });
    if (current) list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
    else list.scrollTop = 0;
  }

  // The first of some moves and what follows it; the others as variations. Deep variations are not nested without end.
  addLine(into, [one, ...others], begins = true) {
    for (let item = null; one; [one, ...others] = one.next) {
      if (one.before && begins) into.append(note("li", one.before));
      const number = this.game.number(one);
      if (number.endsWith(".") || !item) {
        item = into.appendChild(document.createElement("li"));
        item.append(note("span", number, "number"));
      }
      item.append(this.button(one));
      if (one.clock !== undefined) item.append(note("span", clock(one.clock), "used"));
      if (one.comment) { into.append(note("li", one.comment)); item = null; }
      begins = false;
      if (!others.length) continue;
      const below = into.appendChild(document.createElement("li"));
      below.className = "variations";
      for (const other of others) {
        const variation = below.appendChild(document.createElement("ol"));
        variation.ariaLabel = `Instead of ${one.san}`;
        this.addLine(variation, [other]);
      }
      item = null;
    }
  }

  button(one) {
    const made = document.createElement("button");
    Object.assign(made, { textContent: one.san, tabIndex: -1 });
    const said = signs(one);
    if (said) {
      const mark = note("span", said, "sign");
      const bad = [2, 4, 6].find((nag) => one.nags.includes(nag));
      if (bad) made.classList.add(`nag${bad}`);
      made.append(mark);
      made.ariaLabel = [one.san, ...one.nags.map((nag) => MARKS[nag] ?? SIGNS[nag] ?? "")].join(" ");
    }
    made.dataset.id = one.id;
    this.buttons.set(one.id, made);
    return made;
  }
}

function note(tag, text, className = "comment") {
  const element = document.createElement(tag);
  Object.assign(element, { className, textContent: text });
  return element;
}

function clock(seconds) {
  const whole = Math.floor(seconds), hours = Math.floor(whole / 3600);
  const rest = `${String(Math.floor(whole / 60) % 60).padStart(hours ? 2 : 1, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${rest}` : rest;
}
