// Moves and positions in words, for screen readers and the status line.

const NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };

export function spoken(san) {
  if (san.startsWith("O-O-O")) return "castles queenside" + end(san);
  if (san.startsWith("O-O")) return "castles kingside" + end(san);
  const [, piece, from, takes, to, , queen] = /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(=([QRBN]))?/.exec(san) ?? [];
  if (san === "--") return "null move";
  if (!to) return san;
  return [NAMES[piece || "P"], from, takes ? "takes" : "", to, queen ? `becomes a ${NAMES[queen]}` : ""]
    .filter(Boolean).join(" ") + end(san);
}

const end = (san) => (san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "");

// The legal move that somebody has typed (`legal`: UCI notation -> SAN), or all that it could be; `promotes`: which differ in
// the piece that a pawn becomes.
export function meant(text, legal) {
  const wanted = text.trim().replace(/^0-0-0/, "O-O-O").replace(/^0-0/, "O-O").replace(/[!?]+$/, "");
  const bare = (san) => san.replace(/[+#=x]/g, "").toLowerCase(), few = bare(wanted).replace(/([a-h][1-8])-(?=[a-h][1-8])/, "$1");
  const ways = [
    ([uci, san]) => uci === wanted.toLowerCase() || san.replace(/[+#]/g, "") === wanted.replace(/[+#]/g, ""),
    ([, san]) => bare(san) === few,
    ([uci, san]) => /^[KQRBN]/.test(san) && few === (san[0] + uci).toLowerCase(),
    ([uci, san]) => /^[KQRBN]/.test(san) && [san[0] + uci[0] + uci.slice(2), san[0] + uci[1] + uci.slice(2)].some((more) => more.toLowerCase() === few),
    ([uci, san]) => san.includes("=") && [uci.slice(0, 4), bare(san).slice(0, -1)].includes(few),
  ];
  const found = ways.map((way) => Object.entries(legal).filter(way)).find((some) => some.length) ?? [];
  const all = found.map(([uci]) => uci);
  return { move: all.length === 1 ? all[0] : null, all, promotes: all.length > 1 && all.every((uci) => uci.slice(0, 4) === all[0].slice(0, 4)) };
}

export function inWords(fen) {
  const found = { white: [], black: [] };
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) { file += Number(sign); continue; }
      const side = sign === sign.toUpperCase() ? "white" : "black";
      found[side].push([sign.toUpperCase(), "abcdefgh"[file++] + (8 - index)]);
    }
  });
  const list = (pieces) => Object.keys(NAMES).filter((letter) => pieces.some(([piece]) => piece === letter))
    .map((letter) => `${NAMES[letter]} ${pieces.filter(([piece]) => piece === letter).map(([, square]) => square).sort().join(" ")}`).join(", ");
  return `White: ${list(found.white)}. Black: ${list(found.black)}.`;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
