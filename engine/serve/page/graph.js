// White's expected score over the game. A click leads to the move.

const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function showGraph(box, worth, plies, ply, onClick) {
  const points = Object.entries(worth).map(([at, { expected }]) => [Number(at), 100 * (1 - expected)])
    .filter(([at]) => at <= plies).sort((one, other) => one[0] - other[0]);
  if (points.length < 2) return box.replaceChildren();
  const width = Math.max(plies, 1);
  const curve = points.map(([at, height]) => `${(100 * at / width).toFixed(2)},${height.toFixed(1)}`).join(" ");
  const x = (100 * ply / width).toFixed(2);
  const now = worth[ply];
  const left = 100 * points[0][0] / width, right = 100 * points.at(-1)[0] / width;
  const picture = svg("svg", {
    viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img",
    "aria-label": now ? `White's expected score here: ${Math.round(100 * now.expected)} per cent` : "White's expected score",
  },
  svg("rect", { class: "edge", width: 100, height: 100 }),
  svg("polygon", { class: "area", points: `${left},100 ${curve} ${right},100` }),
  svg("line", { class: "half", x1: 0, x2: 100, y1: 50, y2: 50 }),
  svg("polyline", { class: "curve", points: curve }),
  svg("line", { class: "here", x1: x, x2: x, y1: 0, y2: 100 }));
  picture.onclick = (event) => {
    const { left: from, width: wide } = picture.getBoundingClientRect();
    onClick(Math.round(width * (event.clientX - from) / wide));
  };
  box.replaceChildren(picture);
}
