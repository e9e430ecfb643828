// The list of moves: one button each, the current one marked.

export function showMoves(list, position, ply, onClick) {
  const items = [];
  position.sans.forEach((san, index) => {
    const half = index + (position.first.black ? 1 : 0);
    if (half % 2 === 0 || index === 0) {
      const number = document.createElement("span");
      number.className = "number";
      number.textContent = `${position.first.number + Math.floor(half / 2)}${half % 2 ? "…" : "."}`;
      items.push([number]);
    }
    const button = document.createElement("button");
    button.textContent = san;
    button.onclick = () => onClick(index + 1);
    if (index + 1 === ply) button.setAttribute("aria-current", "step");
    items.at(-1).push(button);
  });
  list.replaceChildren(...items.map((parts) => {
    const item = document.createElement("li");
    item.append(...parts);
    return item;
  }));
  if (!items.length) list.innerHTML = '<li class="none">none yet</li>';
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}
