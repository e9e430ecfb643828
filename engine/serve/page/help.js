// Help, with the pages of the manual that are installed.

import { find } from "./ui.js";

export async function help() {
  find("help").showModal();
  const pages = await (await fetch("manual")).json();
  if (pages.length) find("manual").replaceChildren(...pages.map(([name, title]) => {
    const item = document.createElement("li"), link = document.createElement("a");
    Object.assign(link, { href: `manual/${name}`, textContent: title, target: "_blank", rel: "noopener" });
    item.append(link);
    return item;
  }));
}
