// Two clocks, in milliseconds. The page's clock counts for the player, the server's measure for the engine.

export class Clocks {
  constructor(places, onFlag) {
    this.places = places; // () => { white: element, black: element }
    this.onFlag = onFlag;
    this.left = null;
    this.running = null;
    setInterval(() => this.tick(), 100);
  }

  set(left, increment) {
    Object.assign(this, { left, increment, running: null });
    this.draw();
  }

  start(side) {
    if (!this.left || this.running === side) return;
    this.running = side;
    this.since = performance.now();
    this.draw();
  }

  // spent: milliseconds, if they are known better than by this clock. Gives the increment.
  stop(spent, pressed = true) {
    if (!this.left || !this.running) return;
    this.left[this.running] -= spent ?? performance.now() - this.since;
    if (pressed) this.left[this.running] = Math.max(0, this.left[this.running]) + this.increment;
    this.running = null;
    this.draw();
  }

  now(side) { return this.left[side] - (this.running === side ? performance.now() - this.since : 0); }

  tick() {
    if (!this.left || !this.running) return;
    this.draw();
    if (this.now(this.running) <= 0) {
      const side = this.running;
      this.stop(undefined, false);
      this.onFlag(side);
    }
  }

  draw() {
    for (const [side, place] of Object.entries(this.places())) {
      place.hidden = !this.left;
      if (!this.left) continue;
      const left = Math.max(0, this.now(side)), seconds = Math.floor(left / 1000);
      const tenths = left < 20_000 ? `.${Math.floor(left / 100) % 10}` : "";
      place.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}${tenths}`;
      place.classList.toggle("runs", this.running === side);
      place.classList.toggle("low", left < 10_000);
    }
  }
}
