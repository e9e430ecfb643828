// Keys: through the moves, from tab to tab, to the move that is typed.

import { find } from "./ui.js";

// page: { tabs, select, goTo, beside }
export function listen(game, page) {
  find("tabs").onkeydown = (event) => fromTab(event, game, page);
  document.onkeydown = (event) => inPage(event, game, page);
}

function fromTab(event, game, { tabs, select }) {
  const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!turn) return;
  const next = tabs[(tabs.indexOf(game.tab) + turn + tabs.length) % tabs.length];
  event.stopPropagation();
  find(`tab-${next}`).focus();
  select(next);
}

function inPage(event, game, { goTo, beside }) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const { target } = event;
  if (event.key === "Escape" && target.matches("input, textarea")) {
    if (target.id === "san") target.value = "";
    target.blur();
    return;
  }
  const empty = target.id === "san" && !target.value && event.key.startsWith("Arrow"); // nothing is typed: they go through the moves
  if (!empty && target.matches("textarea, select, input:not([type=checkbox])")) return;
  const ply = { ArrowLeft: game.ply - 1, ArrowRight: game.ply + 1, Home: 0, End: game.plies }[event.key];
  if (ply !== undefined) {
    event.preventDefault();
    goTo(ply);
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    if (!game.beside(1)) return;
    event.preventDefault();
    beside(event.key === "ArrowUp" ? -1 : 1);
  } else if (/^[a-hKQRBNOo0]$/.test(event.key)) find("san").focus(); // the letter is typed there
}
