// The moves: one button each, the one shown marked. Variations stand below the move that they replace.

export function showMoves(list, game, first, onChoose) {
  list.replaceChildren();
  const { here } = game;
  if (game.root.next.length) addLine(list, game.root.next, 1);
  else list.innerHTML = '<li class="none">none yet</li>';
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;

  // The first of some moves and what follows it; the others as variations.
  function addLine(into, [one, ...others], ply) {
    for (let item = null; one; [one, ...others] = one.next, ply++) {
      const half = ply - 1 + (first.black ? 1 : 0);
      if (half % 2 === 0 || !item) {
        item = into.appendChild(document.createElement("li"));
        const number = item.appendChild(document.createElement("span"));
        number.className = "number";
        number.textContent = `${first.number + Math.floor(half / 2)}${half % 2 ? "…" : "."}`;
      }
      item.append(button(one));
      if (!others.length) continue;
      const below = into.appendChild(document.createElement("li"));
      below.className = "variations";
      for (const other of others) {
        const variation = below.appendChild(document.createElement("ol"));
        variation.ariaLabel = `Instead of ${one.san}`;
        addLine(variation, [other], ply);
      }
      item = null;
    }
  }

  function button(one) {
    const made = document.createElement("button");
    made.textContent = one.san || one.move;
    made.onclick = () => onChoose(one);
    if (one === here) made.setAttribute("aria-current", "step");
    return made;
  }
}
