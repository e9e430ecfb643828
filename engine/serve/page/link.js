// The websocket to the server. Questions are answered once; work reports events until it is done or replaced.

const SILENT = "The server does not answer: is `sssnake serve` still running?";
const LOST = "The connection was lost, and is made again.";
const PATIENCE = 5000; // milliseconds to find out why
const ANEW = "The server was started anew, with another address. Open the address that it has printed, in any tab: this one goes on then.";

export class Link {
  constructor(onChange, onQueue, onOpen) {
    this.onChange = onChange; // told "" when the connection stands, else what is wrong
    this.onQueue = onQueue; // told whether the work waits for its place on the machine
    this.onOpen = onOpen; // gives the new server the tab's game, before anything else is asked
    this.questions = new Map();
    this.last = 0;
    this.job = null;
    this.turn = Promise.resolve(); // the last change of the game that is under way
    this.why = ""; // there is no connection
    this.wait();
    this.open();
  }

  // `ready`: there is a connection, and the server has the tab's game.
  wait() { this.ready = new Promise((resolve) => { this.arrived = resolve; }); this.stands = false; }

  open() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    socket.onopen = async () => {
      await this.onOpen((what, fields) => this.send(what, fields));
      if (socket.readyState !== WebSocket.OPEN) return; // lost again meanwhile
      Object.assign(this, { why: "", stands: true });
      this.arrived();
      this.onChange("");
    };
    socket.onmessage = ({ data }) => JSON.parse(data).forEach((message) => this.receive(message));
    socket.onclose = (closed) => this.lost(closed);
    this.socket = socket;
  }

  receive(message) {
    if (message.job !== undefined) {
      if (message.job !== this.job?.id) return;
      const waits = message.event === "waiting";
      if (waits || message.event === "searching") this.onQueue(waits);
      else this.job.onEvent(message);
      return;
    }
    const question = this.questions.get(message.id);
    this.questions.delete(message.id);
    if (message.error) (question?.reject ?? this.onChange)(question ? new Error(message.error) : message.error);
    else question?.resolve(message);
  }

  async lost({ reason }) {
    if (this.stands) this.wait();
    this.why ||= reason || SILENT; // at once: nothing more is sent
    const why = this.why = reason || await fetch("status", { signal: AbortSignal.timeout(PATIENCE) })
      .then(({ status }) => ({ 200: LOST, 403: ANEW })[status] ?? SILENT, () => SILENT);
    this.onChange(why);
    this.questions.forEach(({ reject }) => reject(new Error(why)));
    this.questions.clear();
    this.job?.onEvent({ event: "failed", error: why });
    this.job = null;
    this.onQueue(false);
    setTimeout(() => this.open(), 2000);
  }

  // One question; resolves to the answer, rejects with one line. What is asked without a connection is not kept for the next
  // one: the moves have other numbers then.
  async ask(what, fields = {}, id = ++this.last) {
    if (this.why) throw new Error(this.why);
    await this.ready;
    return this.send(what, fields, id);
  }

  // Changes of the game, one after the other: each is one of the game that the change before has left.
  inTurn(change) {
    const mine = this.turn.then(change);
    this.turn = mine.catch(() => {});
    return mine;
  }

  send(what, fields = {}, id = ++this.last) {
    return new Promise((resolve, reject) => {
      this.questions.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, do: what, ...fields }));
    });
  }

  // Work of the server, in place of what it did before. Events come to `onEvent`.
  async work(what, fields, onEvent) {
    const job = { ...fields, id: ++this.last, what, onEvent };
    this.job = job;
    this.onQueue(false);
    try {
      await this.ask(what, fields, job.id);
    } catch (error) {
      if (this.job === job) this.job = null;
      throw error;
    }
  }

  // Whether the player has asked for something about a move: it is not stopped for nothing.
  asked({ id }) { return Boolean(this.job?.hint || this.job?.what === "offer") && this.job.node === id; }

  // Listen no longer to work that belongs to another position; a move of the engine still counts.
  mute() {
    if (this.job && ["analyse", "watch"].includes(this.job.what)) this.job.onEvent = () => {};
  }

  // The server has ended the work.
  forget() {
    this.job = null;
    this.onQueue(false);
  }

  async stop() {
    if (!this.job) return;
    this.forget();
    await this.ask("stop");
  }
}
