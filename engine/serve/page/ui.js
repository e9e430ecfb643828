// What all parts of the page use: elements, spoken words, complaints, a question.

export const find = (id) => document.getElementById(id);
export const other = (side) => (side === "white" ? "black" : "white");

// To screen readers. They say the same text again only if it has changed: hence the blank that nobody sees.
export function say(text) {
  const place = find("spoken");
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

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

// Open a dialog; resolves to the value that it is closed with, "" if it is left. That it was closed is told a little later:
// then another question may stand there, which is not answered yet.
export function asked(dialog) {
  if (!dialog.open) dialog.settle?.(dialog.returnValue);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.settle = resolve;
    dialog.onclose = () => { if (!dialog.open) resolve(dialog.returnValue); };
  });
}

// Ask once; resolves to whether it was confirmed.
export async function confirmed(question, yes) {
  find("question").textContent = question;
  find("yes").textContent = yes;
  return await asked(find("confirm")) === "yes";
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
