// One driver at one depth: a mark for each pass, the bracket between the bounds, nodes, bounds of the root moves.

import { svg } from "./graph.js";
import { Scale, TOP, pawns } from "./scale.js";

const HEIGHT = 300, TOP_EDGE = 16, LEFT = 40, RIGHT = 50, COST = 34, GAP = 22, ROWS = 6, ROW = 17;

// iteration: passes of one depth. progress: how many of them have been played, the last one in part. most: nodes
// of the longest pass of all.
export function draw(iteration, progress, scale, most, width, sans) {
  const shown = Math.floor(progress);
  const right = width - RIGHT, step = (right - LEFT) / iteration.length;
  const x = (index) => LEFT + step * index;
  const played = iteration.slice(0, shown);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT + COST + GAP}`, height: HEIGHT + COST + GAP, "aria-hidden": "true" });
  picture.append(...axis(scale, right), bracket(played, x, scale, progress), ...marks(played, x, step, scale), ...costs(played, x, step, most, right));
  if (progress > shown) picture.append(asked(iteration[shown], x(shown), x(progress), scale));
  if (shown) picture.append(...ending(played.at(-1), x(shown), right, scale, shown === iteration.length));
  return [picture, roots(played, width, scale, sans)];
}

export const scaleOf = (values) => new Scale(values, TOP_EDGE, HEIGHT);

function axis(scale, right) {
  const parts = [svg("line", { class: "axis", x1: LEFT, x2: LEFT, y1: scale.top, y2: scale.bottom })];
  for (const value of [TOP, ...scale.ticks()]) {
    const y = scale.y(value);
    const top = value === TOP;
    parts.push(svg("line", { class: top ? "grid infinite" : "grid", x1: LEFT, x2: right, y1: y, y2: y }),
      svg("text", { x: LEFT - 5, y: y + 4, "text-anchor": "end" }, pawns(value)));
  }
  const y = scale.joint; // the axis is broken here
  parts.push(svg("path", { class: "break", d: `M${LEFT - 6},${y + 2} l12,-5 M${LEFT - 6},${y - 3} l12,-5` }));
  return parts;
}

function bracket(played, x, scale, progress) {
  const above = [`${x(0)},${scale.top}`], below = [`${x(0)},${scale.bottom}`];
  let upper = null, lower = null;
  played.forEach((pass, index) => {
    const high = scale.y(upper ?? TOP), low = scale.y(lower);
    above.push(`${x(index + 1)},${high}`);
    below.push(`${x(index + 1)},${low}`);
    ({ upper, lower } = pass);
    above.push(`${x(index + 1)},${scale.y(upper ?? TOP)}`);
    below.push(`${x(index + 1)},${scale.y(lower)}`);
  });
  above.push(`${x(progress)},${scale.y(upper ?? TOP)}`); // the pass under way
  below.push(`${x(progress)},${scale.y(lower)}`);
  return svg("polygon", { class: "bracket", points: [...above, ...below.reverse()].join(" ") });
}

const asked = ({ gamma }, from, to, scale) =>
  svg("line", { class: "asked", x1: from, x2: to, y1: scale.y(gamma), y2: scale.y(gamma) });

function marks(played, x, step, scale) {
  const size = Math.max(2.2, Math.min(5.5, step / 2)), parts = [];
  played.forEach((pass, index) => {
    const to = x(index + 1);
    parts.push(asked(pass, x(index), to, scale));
    if (pass.value === null) return; // answered without a search: nothing is proved
    const y = scale.y(pass.value);
    parts.push(svg("line", { class: "fall", x1: to, x2: to, y1: scale.y(pass.gamma), y2: y }));
    const point = pass.kind === "upper" ? 1 : -1; // downward: at most this; upward: at least this
    const tip = `M${to - size},${y - point * size} h${2 * size} L${to},${y + point * size * 0.9} Z`;
    parts.push(svg("path", { class: point > 0 ? "no" : "yes", d: pass.kind === "exact" ? diamond(to, y, size) : tip }));
  });
  return parts;
}

const diamond = (x, y, size) => `M${x - size},${y} L${x},${y - size} L${x + size},${y} L${x},${y + size} Z`;

function ending(last, x, right, scale, complete) {
  const value = last.lower ?? last.upper;
  if (value === null) return [];
  const y = scale.y(value);
  const parts = [svg("text", { class: "value", x: right + 8, y: y + 4 }, pawns(value))];
  if (complete) parts.unshift(svg("line", { class: "final", x1: LEFT, x2: right, y1: y, y2: y }));
  return parts;
}

function costs(played, x, step, most, right) {
  const floor = HEIGHT + GAP + COST;
  const bars = played.map((pass, index) => {
    const height = Math.max(0.7, COST * Math.sqrt(pass.nodes / most));
    return svg("rect", { class: "cost", x: x(index) + step * 0.08, width: Math.max(0.6, step * 0.84), y: floor - height, height });
  });
  return [svg("text", { x: LEFT, y: HEIGHT + GAP - 4 }, "nodes of each pass"), ...bars,
    svg("line", { class: "axis", x1: LEFT, x2: right, y1: floor, y2: floor })];
}

// Both bounds of the root moves, as far as they are known; the highest first.
function roots(played, width, scale, sans) {
  const bounds = new Map();
  for (const pass of played) for (const [move, lower, upper] of pass.roots) bounds.set(move, [lower, upper]);
  const worth = ([lower, upper]) => upper ?? Infinity;
  const first = ([, one], [, other]) => worth(other) - worth(one) || (other[0] ?? -Infinity) - (one[0] ?? -Infinity);
  const rows = [...bounds].sort((one, other) => ((other[1][0] ?? -Infinity) > -Infinity) - ((one[1][0] ?? -Infinity) > -Infinity)
    || first(one, other)).slice(0, ROWS);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${ROWS * ROW + 4}`, height: ROWS * ROW + 4, "aria-hidden": "true" });
  const across = (value) => LEFT + scale.share(value) * (width - 108 - LEFT);
  rows.forEach(([move, [lower, upper]], index) => {
    const y = index * ROW + 4, from = across(lower), to = Math.max(from + 2.5, across(upper ?? TOP));
    picture.append(svg("g", { class: lower === null ? "" : "best" },
      svg("text", { x: 0, y: y + 10 }, sans[move] ?? move),
      svg("rect", { class: "known", x: from, width: to - from, y: y + 1, height: ROW - 7, rx: 2 }),
      svg("text", { x: width, y: y + 10, "text-anchor": "end" },
        lower === null ? (upper === null ? "unknown" : `at most ${pawns(upper)}`) : lower === upper ? pawns(lower)
          : upper === null ? `at least ${pawns(lower)}` : `${pawns(lower)} to ${pawns(upper)}`)));
  });
  return picture;
}
