// What all parts of the page use: elements, spoken words, complaints, a question.

export const find = (id) => document.getElementById(id);
export const other = (side) => (side === "white" ? "black" : "white");

export function say(text) { find("spoken").textContent = text; }

// What went wrong, for a while; then again what is wrong as long as it lasts ("": nothing).
export function complain(error) {
  find("trouble").textContent = error.message ?? error;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => lasts(lasts.trouble), 6000);
}

export function lasts(trouble = "") { find("trouble").textContent = lasts.trouble = trouble; }

export const attempt = (action) => async (...values) => {
  try { return await action(...values); } catch (error) { complain(error); }
};

// Ask once; resolves to whether it was confirmed.
export function confirmed(question, yes) {
  const dialog = find("confirm");
  find("question").textContent = question;
  find("yes").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

// A short sound for a move, made here: no file is loaded.
let context = null;
export function sound(kind) {
  try {
    context ??= new AudioContext();
    const [pitch, length] = { move: [420, 0.05], capture: [260, 0.08], check: [620, 0.1], end: [180, 0.4] }[kind];
    const tone = context.createOscillator(), loud = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.25, context.currentTime);
    loud.gain.exponentialRampToValueAtTime(0.001, context.currentTime + length);
    tone.connect(loud).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + length);
  } catch { /* no sound here */ }
}
