// White's expected score of the position shown, as a bar beside the board.

import { find } from "./ui.js";

export function bar(game, { score, expected } = {}) {
  find("eval").hidden = game.tab !== "analyse";
  const [part, text] = find("eval").children;
  part.style.height = `${100 * (expected ?? 0.5)}%`;
  text.textContent = score?.replace(/(\.\d)\d$/, "$1").replace(/(\d\d)\.\d$/, "$1") ?? "";
  find("eval").classList.toggle("black", expected < 0.5);
  find("eval").classList.toggle("flipped", game.flipped);
  find("eval").ariaLabel = score ? `Evaluation ${score}, White's expected score ${Math.round(100 * expected)} per cent` : "No evaluation yet";
}
