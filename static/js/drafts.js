// How forms are saved: what of each was typed, sent and answered, and the order in which those that wait are sent.
const FAILURES_MAX = 3, PAUSE_MS = 500, BUSY_PAUSE_MS = 5000;

// `was` is the value that an edit replaces: nobody types it.
const asText = (entries) => JSON.stringify(entries.filter(([name]) => name !== "was"));

export class Draft {
  typed = 0;                                                            // how often something was typed; of that, sent
  sent = 0;
  sentEntries = null;
  unanswered = null;                                                    // entries that may be stored, or may not
  #failures = 0;
  #isRefused = false;
  #typedText = "";

  get hasUnsent() { return this.typed > this.sent; }

  type(entries, { isChange = false } = {}) {                            // → whether something is new
    const text = asText(entries);
    if (isChange && text === this.#typedText) return false;             // the field is left as it was typed
    this.#typedText = text;
    this.typed++;
    return true;
  }

  // Whether a request is to be sent, to wait its turn, or to be skipped, since nothing has changed.
  chooseRequest(entries, { isBroken, isRemoved, isSubmit }) {
    // While an answer is missing, nothing newer is sent: the server might store both in the other order.
    if (isBroken || this.unanswered || isRemoved) return "wait";
    const isSame = this.sentEntries !== null && asText(entries) === asText(this.sentEntries);
    return isSame && !isSubmit ? "skip" : "send";
  }
  send(entries) {
    this.sentEntries = entries;
    this.skip();
  }
  skip() { this.sent = this.typed; }

  // What to do about the answer to what was sent. `isForeign`: a page that did not come from this site's editing.
  // `pauseMs`: after which a server that is busy is to be asked again.
  readAnswer(status, { isForeign = false, isConnected = true, pauseMs = 0 } = {}) {
    const action = { isStored: status >= 200 && status < 300 && !isForeign, waits: null, problem: "", retryMs: null };
    if (action.isStored) {
      if (!this.hasUnsent) action.waits = false;
    } else if (!isConnected) this.#wait(action);
    else if (status === 503 || status === 429) {                        // 429: a proxy lets no more through for now
      this.#wait(action);
      action.retryMs = pauseMs || BUSY_PAUSE_MS;
    }
    else if (status === 403) this.#readRefusal(action);
    else if (status === 500 || status === 400 || isForeign) {
      action.problem = "failed";
      if (status === 500) this.#readFailure(action);
    }
    // A second refusal in a row is no matter of the token any more.
    if (status && status !== 403) this.#isRefused = false;
    if (status && status !== 500) this.#failures = 0;
    return action;
  }
  #wait(action) {
    this.unanswered = this.sentEntries;
    action.waits = true;
  }
  #readRefusal(action) {                                                // an old token, else a lesser role
    this.#isRefused = !this.#isRefused;
    if (this.#isRefused) {
      this.#wait(action);
      action.retryMs = 0;                                               // with a new token, once
    } else {
      this.unanswered = null;
      action.waits = false;
      action.problem = "forbidden";
    }
  }
  #readFailure(action) {                                                // nobody knows whether it was stored
    if (this.#failures >= FAILURES_MAX) return;
    this.#failures++;
    this.#wait(action);
    action.retryMs = PAUSE_MS * 2 ** this.#failures;
  }
}

export class SendQueue {
  waiting = new Set();                                                  // forms, the oldest first
  isRunning = false;
  #isAskedAgain = false;

  // `prepare` and `send` (of one form) say whether to go on; `onEnd` is called after each run.
  constructor({ connection, prepare, send, onEnd }) {
    Object.assign(this, { connection, prepare, send, onEnd });
  }
  async run() {
    if (this.isRunning) {                                               // what came to wait meanwhile goes after that
      this.#isAskedAgain = true;
      return;
    }
    [this.isRunning, this.#isAskedAgain] = [true, false];
    try {
      if (!(await this.prepare())) return;
      // One after another, in the order in which they were typed: edits may depend on each other.
      for (const form of [...this.waiting]) if (!(await this.send(form))) break;
    } catch { this.connection.become("lost"); } finally {
      this.isRunning = false;
      if (this.#isAskedAgain && !this.connection.isBroken) this.run();
      this.onEnd();
    }
  }
}
