// What stands about the game and its moves: title, remarks, tags; the comment and the mark of the move shown.

import { signs } from "./moves.js";
import { find } from "./ui.js";

const TAGS = ["White", "Black", "Event", "Site", "Date", "Round"]; // that are offered to be written
const OWN = ["FEN", "SetUp", "Variant", "Result"]; // that the game says itself

export class About {
  // change(what, fields): a change of the game by the server
  constructor(game, change) {
    Object.assign(this, { game, change });
    find("comment").onchange = ({ target }) => change("comment", { node: game.here.id, text: target.value });
    find("nag").onchange = ({ target }) => change("mark", { node: game.here.id, nag: Number(target.value) });
    find("annotate").onsubmit = (event) => event.preventDefault();
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", ({ persisted }) => { if (persisted) game.draft = null; }); // it is still being written
  }

  // A comment that is being written is none of the game's yet.
  leave() {
    const { game } = this, box = find("comment");
    game.draft = document.activeElement === box && box.value !== (game.here.comment ?? "") ? box.value : null;
    game.save();
  }

  show() {
    const { game } = this, { tags, here } = game, known = (name) => tags[name] && !/^[?.* -]*$/.test(tags[name]) ? tags[name] : "";
    find("title").textContent = game.own && game.playing ? "" : [known("White"), known("Black")].filter(Boolean).join(" – ");
    find("facts").textContent = [known("Event"), known("Site"), known("Date"), known("Round") && `round ${known("Round")}`, known("Result")].filter(Boolean).join(", ");
    find("remark").hidden = !game.remark;
    find("remark").textContent = game.remark;
    this.fields([...TAGS, ...Object.keys(tags).filter((name) => !TAGS.includes(name))], known);
    find("of-what").textContent = game.ply ? `Comment on ${game.number(here)} ${here.san}${signs(here)}` : "Comment before the first move";
    if (document.activeElement !== find("comment")) find("comment").value = here.comment ?? "";
    find("nag").disabled = !game.ply;
    find("nag").value = here.nags?.find((nag) => nag <= 6) ?? 0;
  }

  // Made anew when there are others: whoever writes in one stays there.
  fields(names, known) {
    const fields = find("tag-fields");
    if (fields.dataset.names !== names.join()) {
      fields.dataset.names = names.join();
      fields.replaceChildren(...names.map((name) => {
        const label = document.createElement("label"), input = document.createElement("input");
        Object.assign(input, { name, maxLength: 255, disabled: OWN.includes(name) });
        input.onchange = () => this.change("tag", { tags: { [name]: input.value } });
        label.append(`${name} `, input);
        return label;
      }));
    }
    for (const input of fields.querySelectorAll("input")) if (input !== document.activeElement) input.value = known(input.name);
  }
}
