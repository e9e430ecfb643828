// The vertical axis: linear around the value, compressed above, +∞ at the top.

export const TOP = 30_000; // centipawns; from here on a value means +∞, or a mate
const MATE = 32_000, MATES = 31_744;
const PAD = 45; // centipawns that are shown linearly beyond the values that matter

export class Scale {
  // values: what must lie in the linear part. top, bottom: pixels.
  constructor(values, top, bottom) {
    this.low = Math.min(...values) - PAD;
    this.high = Math.max(...values) + 2 * PAD;
    this.top = top;
    this.bottom = bottom;
    this.joint = top + 0.42 * (bottom - top); // where the compressed part begins
  }

  y(value) {
    if (value === null || value <= this.low) return this.bottom;
    if (value <= this.high) {
      return this.bottom - (value - this.low) / (this.high - this.low) * (this.bottom - this.joint);
    }
    const share = Math.log1p((value - this.high) / 60) / Math.log1p((TOP - this.high) / 60);
    return this.joint - Math.min(1, share) * (this.joint - this.top);
  }

  // The same axis lying down, from 0 (−∞) to 1 (+∞): the compressed parts are short.
  share(value) {
    if (value === null) return 0;
    const y = this.y(value);
    return y > this.joint ? 0.1 + 0.7 * (this.bottom - y) / (this.bottom - this.joint)
      : 0.8 + 0.2 * (this.joint - y) / (this.joint - this.top);
  }

  ticks() {
    const step = [10, 20, 50, 100, 200, 500, 1000, 5000, 20000].find((size) => (this.high - this.low) / size <= 6) ?? 20000;
    const ticks = [];
    for (let value = Math.ceil((this.low + 1) / step) * step; value < this.high - step / 4; value += step) ticks.push(value);
    for (const value of [300, 1000, 3000, 10_000]) if (value > this.high + 150) ticks.push(value);
    return ticks;
  }
}

export function pawns(value) {
  if (value === null) return "?";
  if (Math.abs(value) > MATES && Math.abs(value) < MATE) return `${value < 0 ? "−" : ""}#${Math.ceil((MATE - Math.abs(value)) / 2)}`;
  if (Math.abs(value) >= TOP) return value > 0 ? "+∞" : "−∞";
  const sign = value > 0 ? "+" : value < 0 ? "−" : "";
  return sign + (Math.abs(value) >= 1000 ? Math.round(Math.abs(value) / 100) : (Math.abs(value) / 100).toFixed(2));
}
