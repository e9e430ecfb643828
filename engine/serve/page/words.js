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
