// Games come in and go out: pasted, opened, dropped; copied, saved, and kept in the browser.

import { OPEN_FILE } from "./game.js";
import { attempt, find, say } from "./ui.js";

const LONG = "Too long: at most 4 MB are read";
const KEY = "sssnake-games", MOST = 100, LONGEST = 200_000, LARGEST = 4_000_000; // games, characters of one, of a file

export class Files {
  // page: { load(what, request, whose), settled }
  constructor(game, link, page) {
    Object.assign(this, { game, link, page, forgotten: new Set(), text: "", all: [], next: 0, choosing: false });
    this.there = false; // whether the server has the text that the list of games is of
    find("load").onsubmit = (event) => { event.preventDefault(); attempt(() => this.take(find("text").value))(); };
    find("open").onclick = () => find("file").click();
    find("file").onchange = attempt(async ({ target }) => {
      const [file] = target.files;
      if (file) await this.read(file);
      target.value = "";
    });
    find("save").onclick = attempt(() => this.save());
    find("copy-fen").onclick = this.copy("fen");
    find("copy-pgn").onclick = this.copy("pgn");
    find("games").onchange = attempt(({ target }) => this.choose(Number(target.value)));
    find("filter").oninput = () => this.titles(this.all, game.number_of_game);
    addEventListener("dragover", (event) => { if (event.dataTransfer.types.includes("Files")) event.preventDefault(); });
    addEventListener("drop", attempt(async (event) => {
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      await this.read(file);
    }));
    find("kept").onclick = attempt(async ({ target }) => {
      const button = target.closest("button");
      if (!button) return;
      const one = this.games().find(({ key }) => String(key) === button.dataset.key);
      const place = [...find("kept").querySelectorAll("button")].indexOf(button);
      if (button.dataset.what === "forget") this.forget(button.dataset.key);
      else if (one && await page.load("load", { text: one.pgn }, one)) this.remember(); // it has no list
      this.show();
      const buttons = find("kept").querySelectorAll("button"); // the keyboard stays where it was
      (buttons[Math.min(place, buttons.length - 1)] ?? find("mine").firstElementChild).focus();
    });
    this.show();
    this.recall();
  }

  // Old files are Latin-1, some of Windows are UTF-16 with a byte order mark.
  async read(file) {
    if (file.size > LARGEST) throw new Error(LONG);
    const bytes = await file.arrayBuffer(), [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
    const wide = { 0xfffe: "utf-16le", 0xfeff: "utf-16be" }[256 * first + second];
    let text;
    try { text = new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(bytes); } catch { text = new TextDecoder("windows-1252").decode(bytes); }
    return this.take(text);
  }

  // Open a text, from wherever it comes.
  async take(text) {
    if (text.length > LARGEST || new Blob([text]).size > LARGEST) throw new Error(LONG);
    if (!await this.page.load("load", { text })) return;
    Object.assign(this, { text, there: true });
    this.remember();
  }

  // The list outlasts a reload, if the tab's storage has room for the text.
  remember() {
    try {
      sessionStorage.removeItem(OPEN_FILE);
      if (this.all.length > 1) sessionStorage.setItem(OPEN_FILE, JSON.stringify({ text: this.text, titles: this.all }));
    } catch { /* then it does not */ }
  }

  recall() {
    try {
      const { text, titles } = JSON.parse(sessionStorage.getItem(OPEN_FILE) ?? "{}");
      if (!text) return;
      this.text = text;
      this.titles(titles, this.game.number_of_game);
    } catch { /* no storage, or not ours */ }
  }

  // Another game of the text that is open. A server started anew has to be given it again. Of games chosen while one is
  // loaded (a key is held down) the last is loaded next; the list stays where the user is.
  async choose(number) {
    this.next = number;
    if (this.choosing) return;
    this.choosing = true;
    while (this.next) {
      const before = this.game.number_of_game, wanted = { game: this.next };
      this.next = 0;
      if (await this.page.load(...this.there ? ["choose", wanted] : ["load", { text: this.text, ...wanted }])) this.there = true;
      else if (!this.next) this.titles(this.all, before);
    }
    this.choosing = false;
  }

  titles(all, chosen = 1) {
    this.all = all;
    this.game.number_of_game = chosen;
    const wanted = find("filter").value.toLowerCase();
    find("which").hidden = all.length < 2;
    find("games").replaceChildren(...all.map((title, index) => [title, index + 1]).filter(([title]) => title.toLowerCase().includes(wanted))
      .map(([title, number]) => new Option(`${number}. ${title}`, number, false, number === (this.next || chosen))));
  }

  copy(field) {
    return attempt(async () => {
      await this.page.settled(); // a move may be on its way
      const answer = await this.link.ask("pgn", { node: this.game.here.id });
      find("text").value = answer[field].trim();
      find("text").select();
      await navigator.clipboard?.writeText(answer[field]).catch(() => {});
      say(`${field.toUpperCase()} copied`);
    });
  }

  async save() {
    const { pgn } = await this.link.ask("pgn");
    const { White = "?", Black = "?" } = this.game.tags;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([pgn], { type: "application/x-chess-pgn" }));
    link.download = `${`${White}-${Black}`.replace(/[^\p{L}\p{N}-]+/gu, "_").slice(0, 60)}.pgn`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    say("PGN saved");
  }

  // Games that the browser keeps, the newest first.

  games() {
    try { return JSON.parse(localStorage.getItem(KEY) ?? "[]"); } catch { return []; }
  }

  write(all) {
    for (let games = all.slice(0, MOST); ; games = games.slice(0, -1)) {
      try { return localStorage.setItem(KEY, JSON.stringify(games)); } catch { if (!games.length) return undefined; } // full: the oldest goes
    }
  }

  // For good: neither an answer that is under way nor a move of the engine brings it back.
  forget(wanted) {
    this.forgotten.add(wanted);
    this.write(this.games().filter(({ key }) => String(key) !== wanted));
  }

  keep() {
    const { game } = this;
    if (!game.pgn || game.pgn.length > LONGEST || !game.plies || this.forgotten.has(String(game.key))) return;
    const there = this.games().find(({ key }) => key === game.key);
    if (there && there.stamp !== game.stamp) game.key = Date.now(); // another tab has gone on with it in its way
    game.stamp = Math.random();
    game.save();
    const title = `${game.tags.White ?? "?"} – ${game.tags.Black ?? "?"}, ${game.tags.Result ?? "*"}, ${new Date(game.key).toLocaleString()}`;
    const one = { key: game.key, stamp: game.stamp, title, pgn: game.pgn, own: game.own };
    this.write([one, ...this.games().filter(({ key }) => key !== one.key)]);
    if (find("mine").open) this.show();
  }

  show() {
    find("mine").ontoggle = () => { if (find("mine").open) this.show(); };
    const all = this.games();
    find("kept").replaceChildren(...all.map(({ key, title }) => {
      const item = document.createElement("li");
      for (const [what, text, label] of [["open", title, title], ["forget", "×", `Forget ${title}`]]) {
        const button = document.createElement("button");
        Object.assign(button, { textContent: text, ariaLabel: label });
        Object.assign(button.dataset, { key, what });
        item.append(button);
      }
      return item;
    }));
    find("no-kept").hidden = all.length > 0;
  }
}

